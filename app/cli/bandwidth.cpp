// SPDX-License-Identifier: Apache-2.0
// Each thread sums its share of one buffer; the sums are kept so that the reads cannot be left out.
#include "app/cli/bandwidth.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <thread>
#include <vector>

namespace agens::cli {
namespace {

constexpr std::size_t kBytes = std::size_t{512} << 20;
constexpr int kPasses = 6;
constexpr std::size_t kStreams = 4;  // one stream a thread does not fill the memory channels

std::uint64_t sumOf(const std::uint64_t* values, std::size_t count) {
    const std::size_t quarter = count / kStreams;
    std::uint64_t sums[kStreams] = {};
    for (std::size_t i = 0; i < quarter; ++i) {
        for (std::size_t stream = 0; stream < kStreams; ++stream) {
            sums[stream] += values[stream * quarter + i];
        }
    }
    return sums[0] + sums[1] + sums[2] + sums[3];
}

double secondsOfPass(const std::vector<std::uint64_t>& values, std::uint32_t threads,
                     std::atomic<std::uint64_t>& sum) {
    const std::size_t share = values.size() / threads;
    const auto begin = std::chrono::steady_clock::now();
    std::vector<std::thread> team;
    for (std::uint32_t t = 0; t < threads; ++t) {
        team.emplace_back([&, t] { sum += sumOf(values.data() + t * share, share); });
    }
    for (std::thread& member : team)
        member.join();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

double readBandwidth(std::uint32_t threads) {
    const std::vector<std::uint64_t> values(kBytes / sizeof(std::uint64_t), 1);
    std::atomic<std::uint64_t> sum = 0;
    double best = secondsOfPass(values, threads, sum);
    for (int pass = 1; pass < kPasses; ++pass)
        best = std::min(best, secondsOfPass(values, threads, sum));
    return sum.load() == 0 ? 0.0 : static_cast<double>(kBytes) / best;
}

}  // namespace agens::cli
