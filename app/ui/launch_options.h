// SPDX-License-Identifier: Apache-2.0
// LaunchOptions: the command line of agens-desktop as values.
//
//   agens-desktop [FILE] [--model FILE] [--engine scripted:FILE] [--data-dir FOLDER] [--log-level
//   LEVEL]
//                 [--measure FILE] [--send TEXT]
//   agens-desktop --screenshot OUT.png --scene NAME [--size WxH] [--theme light|dark] [--scale
//   PERCENT]
//
// Errors: InvalidRequest, id "arguments", with a sentence.
// Thread: any; pure.
#pragma once

#include <QSize>
#include <QString>
#include <QStringList>
#include <filesystem>
#include <string>

#include "engine/base/result.h"

namespace agens::ui {

struct LaunchOptions {
    bool wantsHelp = false;
    bool wantsVersion = false;
    std::filesystem::path model;   // empty: the last one, else the starter
    std::filesystem::path script;  // --engine scripted:FILE
    std::string dataDir;
    std::string logLevel = "warning";
    std::filesystem::path measure;  // where timing figures go when the window closes
    QString send;                   // tests: a message that is sent at the start

    std::filesystem::path screenshot;
    QString scene;
    QSize size;     // empty: the scene's own
    QString theme;  // empty: light in screenshots
    int scalePercent = 100;
};

Result<LaunchOptions> parseLaunchOptions(const QStringList& arguments);
QString launchHelp();

}  // namespace agens::ui
