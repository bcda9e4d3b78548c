// SPDX-License-Identifier: Apache-2.0
// See the header.
#include "app/ui/launch_options.h"

#include <QCommandLineParser>

namespace agens::ui {
namespace {

Error argumentError(const QString& what) {
    return {ErrorKind::InvalidRequest, "arguments", what.toStdString(), ""};
}

std::filesystem::path pathOf(const QString& text) {
    return text.toStdString();
}

const QList<QCommandLineOption>& optionTable() {
    static const QList<QCommandLineOption> table = {
        {"help", "Show this help."},
        {"version", "Show the version."},
        {"model", "Open this model file.", "FILE"},
        {"engine", "Play a script instead of a model: scripted:FILE.", "ENGINE"},
        {"data-dir", "Keep everything under this folder.", "FOLDER"},
        {"log-level", "debug, info, warning, error or off.", "LEVEL", "warning"},
        {"measure", "Write timing figures to this file at the end.", "FILE"},
        {"send", "Send this message at the start (for tests).", "TEXT"},
        {"screenshot", "Draw a scene without a display into this file, then end.", "OUT.png"},
        {"scene", "Which scene.", "NAME"},
        {"size", "Size of the scene, e.g. 1280x800.", "WxH"},
        {"theme", "light or dark.", "THEME"},
        {"scale", "Size of text in percent, 80 to 200.", "PERCENT", "100"},
    };
    return table;
}

void setUp(QCommandLineParser& parser) {
    parser.setApplicationDescription("Agens Desktop: chat with a model on this computer.");
    for (const QCommandLineOption& option : optionTable())
        parser.addOption(option);
    parser.addPositionalArgument("FILE", "A model file to open.", "[FILE]");
}

Result<QSize> sizeOf(const QString& text) {
    if (text.isEmpty()) return QSize();
    const QStringList sides = text.split(QLatin1Char('x'));
    const int width = sides.size() == 2 ? sides[0].toInt() : 0;
    const int height = sides.size() == 2 ? sides[1].toInt() : 0;
    if (width < 100 || height < 100 || width > 16384 || height > 16384) {
        return argumentError("--size takes WIDTHxHEIGHT from 100x100 to 16384x16384, not \"" +
                             text + "\".");
    }
    return QSize(width, height);
}

Result<void> readScene(const QCommandLineParser& parser, LaunchOptions& options) {
    options.screenshot = pathOf(parser.value("screenshot"));
    options.scene = parser.value("scene");
    options.theme = parser.value("theme");
    TRY(options.size, sizeOf(parser.value("size")));
    options.scalePercent = parser.value("scale").toInt();
    if (options.scalePercent < 80 || options.scalePercent > 200)
        return argumentError("--scale takes a percentage from 80 to 200.");
    if (!options.theme.isEmpty() && options.theme != "light" && options.theme != "dark")
        return argumentError("--theme is light or dark.");
    if (parser.isSet("screenshot") != parser.isSet("scene"))
        return argumentError("--screenshot OUT.png and --scene NAME belong together.");
    return {};
}

}  // namespace

QString launchHelp() {
    QCommandLineParser parser;
    setUp(parser);
    // Qt takes the name from an application object, which may not be there yet.
    const QString text = parser.helpText();
    return QStringLiteral("Usage: agens-desktop ") + text.mid(text.indexOf("[options]"));
}

Result<LaunchOptions> parseLaunchOptions(const QStringList& arguments) {
    QCommandLineParser parser;
    setUp(parser);
    if (!parser.parse(arguments)) return argumentError(parser.errorText());
    LaunchOptions options;
    options.wantsHelp = parser.isSet("help");
    options.wantsVersion = parser.isSet("version");
    options.dataDir = parser.value("data-dir").toStdString();
    options.logLevel = parser.value("log-level").toStdString();
    options.measure = pathOf(parser.value("measure"));
    options.send = parser.value("send");
    options.model = pathOf(parser.value("model"));
    const QStringList files = parser.positionalArguments();
    if (files.size() + (parser.isSet("model") ? 1 : 0) > 1)
        return argumentError("One model file can be opened at a time.");
    if (!files.isEmpty()) options.model = pathOf(files.first());
    if (parser.isSet("engine")) {
        const QString engine = parser.value("engine");
        if (!engine.startsWith("scripted:"))
            return argumentError("--engine takes scripted:FILE, not \"" + engine + "\".");
        options.script = pathOf(engine.mid(9));
    }
    TRY_VOID(readScene(parser, options));
    return options;
}

}  // namespace agens::ui
