// SPDX-License-Identifier: Apache-2.0
// Tests of the window run without a display (tests/support/env.sh chooses the platform).
#include <gtest/gtest.h>

#include <QGuiApplication>

int main(int count, char** words) {
    const QGuiApplication application(count, words);
    testing::InitGoogleTest(&count, words);
    return RUN_ALL_TESTS();
}
