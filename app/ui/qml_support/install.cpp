// SPDX-License-Identifier: Apache-2.0
// See the header.
#include "app/ui/qml_support/install.h"

#include <QQmlEngine>

#include "app/ui/markdown/block_text.h"
#include "app/ui/qml_support/icon_provider.h"
#include "app/ui/qml_support/line_spacing.h"

namespace agens::ui {

void installQmlSupport(QQmlEngine& engine) {
    qmlRegisterType<markdown::BlockText>("Agens", 1, 0, "BlockText");
    qmlRegisterType<LineSpacing>("Agens", 1, 0, "LineSpacing");
    engine.addImageProvider(QString::fromLatin1(kIconProviderId), new IconProvider);
}

}  // namespace agens::ui
