// SPDX-License-Identifier: Apache-2.0
// NetworkRefusal: what the QML engine gets for a network: every request fails at once and is
// counted. Nothing in the program opens a connection; this makes it true for whatever slips in.
// Thread: create() and requests on any thread of the QML engine; the count is told to `refused`,
// which must be callable from there.
#pragma once

#include <QQmlNetworkAccessManagerFactory>
#include <functional>

namespace agens::ui {

class NetworkRefusal final : public QQmlNetworkAccessManagerFactory {
 public:
    explicit NetworkRefusal(std::function<void()> refused) : m_refused(std::move(refused)) {}
    QNetworkAccessManager* create(QObject* parent) override;

 private:
    std::function<void()> m_refused;
};

}  // namespace agens::ui
