// SPDX-License-Identifier: Apache-2.0
// Icons: every drawing can be shown at every size in every colour, and only in that colour.
#include "app/ui/qml_support/icon_provider.h"

#include <gtest/gtest.h>

#include <QColor>
#include <QDir>

namespace agens::ui {
namespace {

QImage iconOf(const QString& id, int side) {
    QSize size;
    QImage image = IconProvider().requestImage(id, &size, QSize(side, side));
    EXPECT_EQ(size, image.isNull() ? QSize() : image.size());
    return image;
}

// The largest alpha of the image; every pixel must be of the colour asked for.
int strongestCover(const QImage& image) {
    int strongest = 0;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            const QColor pixel = image.pixelColor(x, y);
            strongest = std::max(strongest, pixel.alpha());
            if (pixel.alpha() < 100) continue;  // too little left of the colour to compare
            EXPECT_NEAR(pixel.red(), 0x0B, 3);
            EXPECT_NEAR(pixel.green(), 0x6E, 3);
            EXPECT_NEAR(pixel.blue(), 0x66, 3);
        }
    }
    return strongest;
}

TEST(IconProvider, EveryDrawingShowsSomethingInItsColourOnly) {
    const QStringList files = QDir(":/icons").entryList({"*.svg"});
    ASSERT_GT(files.size(), 20);
    for (const QString& file : files) {
        for (const int side : {14, 20, 48}) {
            const QImage image = iconOf(file.chopped(4) + "?0B6E66", side);
            ASSERT_EQ(image.size(), QSize(side, side)) << file.toStdString();
            const int strongest = strongestCover(image);
            EXPECT_GT(strongest, 100) << file.toStdString() << " at " << side;
        }
    }
}

TEST(IconProvider, UnknownNamesAndColoursGiveNothing) {
    EXPECT_TRUE(iconOf("no-such-icon?0B6E66", 20).isNull());
    EXPECT_TRUE(iconOf("add?nocolour", 20).isNull());
    EXPECT_TRUE(iconOf("add", 20).isNull());
    EXPECT_TRUE(iconOf("", 20).isNull());
    EXPECT_TRUE(iconOf("../icons/add?0B6E66x", 20).isNull());
}

TEST(IconProvider, SizeIsBounded) {
    EXPECT_LE(iconOf("add?0B6E66", 1 << 20).width(), 1024);
    QSize size;
    EXPECT_EQ(IconProvider().requestImage("add?0B6E66", &size, QSize()).size(), QSize(24, 24));
}

}  // namespace
}  // namespace agens::ui
