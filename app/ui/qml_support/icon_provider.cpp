// SPDX-License-Identifier: Apache-2.0
// IconProvider: see the header.
#include "app/ui/qml_support/icon_provider.h"

#include <QColor>
#include <QFile>
#include <QPainter>
#include <QSvgRenderer>

namespace agens::ui {
namespace {

constexpr int kNaturalSide = 24;
constexpr int kLargestSide = 1024;  // no caller may ask for an image without bound

QSize imageSize(const QSize& wanted) {
    const int width = wanted.width() > 0 ? wanted.width() : kNaturalSide;
    const int height = wanted.height() > 0 ? wanted.height() : width;
    return {qMin(width, kLargestSide), qMin(height, kLargestSide)};
}

}  // namespace

IconProvider::IconProvider() : QQuickImageProvider(QQuickImageProvider::Image) {}

QImage IconProvider::requestImage(const QString& id, QSize* size, const QSize& requestedSize) {
    const qsizetype mark = id.indexOf(u'?');
    const QString colorName = u'#' + id.mid(mark + 1);
    const QString file = QStringLiteral(":/icons/%1.svg").arg(id.left(mark));
    // Asked first, because the renderer and QColor warn about what they do not know.
    if (mark < 0 || !QColor::isValidColor(colorName) || !QFile::exists(file)) return {};
    const QColor color(colorName);
    QSvgRenderer drawing(file);
    if (!drawing.isValid()) return {};

    QImage image(imageSize(requestedSize), QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    drawing.render(&painter);
    painter.setCompositionMode(QPainter::CompositionMode_SourceIn);
    painter.fillRect(image.rect(), color);
    if (size != nullptr) *size = image.size();
    return image;
}

}  // namespace agens::ui
