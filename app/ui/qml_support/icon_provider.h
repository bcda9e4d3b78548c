// SPDX-License-Identifier: Apache-2.0
// IconProvider: image://icon/NAME?RRGGBB, an icon of resources/icons in one colour.
//
// QML cannot tint an image without shaders, and the window must look the same with the software
// renderer; so the drawing is rendered at the wanted size and its shape is filled with the colour.
// Errors: an unknown name or a colour that is none gives a null image, which QML reports.
// Thread: QML's loader calls it from any thread; it holds no state.
#pragma once

#include <QImage>
#include <QQuickImageProvider>

namespace agens::ui {

class IconProvider : public QQuickImageProvider {
 public:
    IconProvider();

    // `id` is NAME?COLOUR (hexadecimal without '#'); 24x24 when no size is wanted.
    QImage requestImage(const QString& id, QSize* size, const QSize& requestedSize) override;
};

// The name under which an engine knows the provider: engine.addImageProvider(kIconProviderId, ...).
inline constexpr const char* kIconProviderId = "icon";

}  // namespace agens::ui
