// SPDX-License-Identifier: Apache-2.0
// 2,000 damaged copies of a small model file: each is read or refused, in bounded time and memory,
// and what is read keeps the reader's promises. The seed is printed; AGENS_TEST_SEED repeats a run.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <random>

#include "engine/model_file/tensor_index.h"
#include "tests/support/gguf_writer.h"
#include "tests/support/test_paths.h"

namespace agens::model_file {
namespace {

constexpr int kMutants = 2'000;
constexpr double kSecondsInAll = 60.0;  // the bound is 1 s per 64 MiB of header: generous by far
[[maybe_unused]] constexpr long kExtraKibibytes =
    65'536;  // 64 MiB beyond 4 x the header, which is below 64 KiB

std::string smallModel() {
    std::vector<std::string> tokens;
    for (int i = 0; i < 300; ++i)
        tokens.push_back("token" + std::to_string(i));
    test::GgufWriter writer;
    writer.text("general.architecture", "llama")
        .u32("llama.block_count", 2)
        .f32("llama.rope.freq_base", 10000.0F)
        .flag("tokenizer.ggml.add_bos_token", false)
        .texts("tokenizer.ggml.tokens", tokens)
        .i32s("tokenizer.ggml.token_type", std::vector<std::int32_t>(300, 1))
        .f32s("tokenizer.ggml.scores", std::vector<float>(300, 0.0F));
    for (int layer = 0; layer < 8; ++layer) {
        writer.tensor("blk." + std::to_string(layer) + ".weight", {4, 32}, 3, std::string(80, 'q'));
    }
    return writer.bytes();
}

// One to four changes: a flipped bit, a random byte, an 8-byte number with an edge value, a cut.
std::string mutant(std::string bytes, std::mt19937_64& random) {
    static constexpr std::uint64_t kEdges[] = {
        0,          1,          255,        65'535,     1ULL << 31,
        1ULL << 32, 1ULL << 40, 1ULL << 63, UINT64_MAX, UINT64_MAX - 31};
    const auto below = [&](std::uint64_t limit) { return random() % limit; };
    for (std::uint64_t change = 0, changes = 1 + below(4); change < changes; ++change) {
        const std::size_t at = below(bytes.size() - 8);
        switch (below(4)) {
            case 0:
                bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(8)));
                break;
            case 1:
                bytes[at] = static_cast<char>(below(256));
                break;
            case 2:
                std::memcpy(bytes.data() + at, &kEdges[below(std::size(kEdges))], 8);
                break;
            default:
                if (below(8) == 0) bytes.resize(std::max<std::size_t>(at, 16));
                break;
        }
    }
    return bytes;
}

// What every later reader of a ModelFile relies on.
void expectSound(const ModelFile& file) {
    const std::uint64_t size = file.file->bytes().size();
    for (const TensorEntry& tensor : file.tensors) {
        ASSERT_LE(tensor.bytes, size);
        ASSERT_LE(tensor.offset, size - tensor.bytes);
        ASSERT_EQ(tensor.bytes, tensor.rows() * device::rowBytes(tensor.format, tensor.columns()));
        ASSERT_EQ(tensor.columns() % device::factsOf(tensor.format).blockValues, 0u);
    }
}

long peakKibibytes() {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

TEST(GgufMutants, AreReadOrRefusedWithinBounds) {
    const char* chosen = std::getenv("AGENS_TEST_SEED");
    const std::uint64_t seed =
        chosen != nullptr ? std::strtoull(chosen, nullptr, 10) : std::random_device()();
    std::printf("seed %llu (repeat with AGENS_TEST_SEED)\n", static_cast<unsigned long long>(seed));
    std::mt19937_64 random(seed);
    const std::string base = smallModel();
    const auto path = test::scratchFolder() / "mutant.gguf";
    [[maybe_unused]] const long peakBefore = peakKibibytes();
    const auto begin = std::chrono::steady_clock::now();
    int accepted = 0;
    for (int i = 0; i < kMutants; ++i) {
        SCOPED_TRACE("seed " + std::to_string(seed) + ", mutant " + std::to_string(i));
        std::ofstream(path, std::ios::binary) << mutant(base, random);
        const auto file = openModelFile(path);
        if (file.ok()) {
            ++accepted;
            expectSound(*file);
        } else {
            EXPECT_TRUE(file.error().kind == ErrorKind::InvalidFile ||
                        file.error().kind == ErrorKind::Unsupported)
                << file.error().text();
        }
    }
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    std::printf("%d accepted, %d refused, %.2f s\n", accepted, kMutants - accepted,
                seconds.count());
    EXPECT_GT(kMutants - accepted, kMutants / 4);  // else the changes hit nothing
    EXPECT_LT(seconds.count(), kSecondsInAll);
#ifndef __SANITIZE_ADDRESS__  // keeps freed memory on purpose
    EXPECT_LT(peakKibibytes() - peakBefore, kExtraKibibytes);
#endif
}

// Every prefix of a good file is refused or, where only tensor data is missing, names the tensor.
TEST(GgufMutants, EveryCutIsNoticed) {
    const std::string base = smallModel();
    const auto path = test::scratchFolder() / "cut.gguf";
    for (std::size_t size = 0; size < base.size(); size += 7) {
        std::ofstream(path, std::ios::binary) << base.substr(0, size);
        EXPECT_FALSE(openModelFile(path).ok()) << size << " of " << base.size() << " bytes";
    }
}

}  // namespace
}  // namespace agens::model_file
