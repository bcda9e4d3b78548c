// SPDX-License-Identifier: Apache-2.0
// Tests with queued calls need an application object.
#include <gtest/gtest.h>

#include <QCoreApplication>

int main(int count, char** words) {
    const QCoreApplication application(count, words);
    testing::InitGoogleTest(&count, words);
    return RUN_ALL_TESTS();
}
