// SPDX-License-Identifier: Apache-2.0
// Tests of the views: one application for all of them.
#include <gtest/gtest.h>

#include "tests/ui/qml/preview/scenes.h"

int main(int argc, char** argv) {
    QGuiApplication application(argc, argv);
    agens::ui::test::setFonts();
    testing::InitGoogleTest(&argc, argv);
    return RUN_ALL_TESTS();
}
