// SPDX-License-Identifier: Apache-2.0
// See the header.
#include "app/ui/network_refusal.h"

#include <QNetworkAccessManager>
#include <QNetworkReply>
#include <QNetworkRequest>
#include <utility>

namespace agens::ui {
namespace {

class RefusingNetwork final : public QNetworkAccessManager {
 public:
    RefusingNetwork(QObject* parent, std::function<void()> refused)
        : QNetworkAccessManager(parent), m_refused(std::move(refused)) {}

 protected:
    // An address without a scheme Qt knows fails inside Qt, before any socket.
    QNetworkReply* createRequest(Operation, const QNetworkRequest&, QIODevice*) override {
        m_refused();
        return QNetworkAccessManager::createRequest(
            GetOperation, QNetworkRequest(QUrl(QStringLiteral("refused:"))), nullptr);
    }

 private:
    std::function<void()> m_refused;
};

}  // namespace

QNetworkAccessManager* NetworkRefusal::create(QObject* parent) {
    return new RefusingNetwork(parent, m_refused);  // the QML engine is its parent and deletes it
}

}  // namespace agens::ui
