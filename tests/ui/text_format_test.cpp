// SPDX-License-Identifier: Apache-2.0
// What the load strip says about the pace of loading.
#include "app/ui/models/text_format.h"

#include <gtest/gtest.h>

namespace agens::ui {
namespace {

constexpr std::uint64_t kMebibyte = 1 << 20;

TEST(LoadText, SaysPaceAndTimeLeft) {
    EXPECT_EQ(loadText(30 * kMebibyte, 90 * kMebibyte, 20.0 * kMebibyte),
              QStringLiteral("30.0 of 90.0 MiB · 20 MiB/s · about 3 s left"));
}

TEST(LoadText, SaysNoPaceBeforeItIsKnown) {
    EXPECT_EQ(loadText(0, 90 * kMebibyte, 0), QStringLiteral("0.0 of 90.0 MiB"));
}

TEST(LoadText, RoundsTheTimeLeftUp) {
    EXPECT_TRUE(loadText(80 * kMebibyte, 90 * kMebibyte, 100.0 * kMebibyte)
                    .endsWith(QStringLiteral("about 1 s left")));
}

TEST(LoadText, LeavesNoTimeAtTheEnd) {
    EXPECT_EQ(loadText(90 * kMebibyte, 90 * kMebibyte, 20.0 * kMebibyte),
              QStringLiteral("90.0 of 90.0 MiB · 20 MiB/s"));
}

}  // namespace
}  // namespace agens::ui
