// SPDX-License-Identifier: Apache-2.0
// agens bench: prefill of 512 tokens, decode at context 0 and 1,024, steps of 1 to 9 rows; medians,
// warm-up discarded. The JSON has the names that tests/speed compares with another engine. The read
// bandwidth is probed before and after: a drift of more than 10 % makes the run invalid, and says
// so.
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "app/cli/bandwidth.h"
#include "app/cli/commands.h"
#include "app/cli/exit_code.h"
#include "app/cli/interrupt.h"
#include "app/cli/json_output.h"
#include "app/cli/model_choice.h"
#include "engine/bench.h"

namespace agens::cli {
namespace {

constexpr std::uint32_t kPrefillRows = 512;
constexpr std::uint32_t kDeepContext = 1024;
constexpr std::uint32_t kDecodeSteps = 64;
constexpr std::uint32_t kDecodeWarmUp = 8;
constexpr std::uint32_t kLadderPrefix = 64;
constexpr std::uint32_t kLadderRows = 9;
constexpr std::uint32_t kContext = 2048;
constexpr std::uint32_t kDefaultRepeats = 20;
constexpr std::uint32_t kPrefillRepeats = 6;
constexpr double kLargestDrift = 0.10;

struct Measured {
    std::vector<double> seconds;
    double median() const { return at(0.5); }
    double at(double share) const {
        std::vector<double> sorted = seconds;
        std::ranges::sort(sorted);
        return sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1))];
    }
};

struct Figures {
    Measured prefill;
    Measured decodeShallow;
    std::optional<Measured> decodeDeep;  // nothing: the context served is too short
    std::array<Measured, kLadderRows> ladder;
};

class BenchCommand {
 public:
    BenchCommand(const BenchArguments& arguments, engine::StepBench& bench, Terminal& terminal)
        : m_bench(bench),
          m_terminal(terminal),
          m_prefillRepeats(arguments.repeats == 0 ? kPrefillRepeats : arguments.repeats),
          m_ladderRepeats(arguments.repeats == 0 ? kDefaultRepeats : arguments.repeats) {
        // A fixed sequence in the middle of the vocabulary: what the ids are does not change the
        // time.
        std::uint64_t state = 1;
        const std::uint32_t range = std::max(1U, std::min(40'000U, bench.vocabRows()) - 1);
        for (std::uint32_t i = 0; i < kContext; ++i) {
            state = state * 6364136223846793005ULL + 1442695040888963407ULL;
            m_ids.emplace_back(static_cast<std::int32_t>((state >> 33) % range));
        }
    }

    Result<Figures> measure() {
        Figures figures;
        TRY(figures.prefill, repeated(m_prefillRepeats + 1, 1, "prefill", [this](std::uint32_t) {
                return stepAt(0, rowsOf(kPrefillRows), false);
            }));
        TRY(figures.decodeShallow, decodeAt(0));
        if (m_bench.servedContext() >= kDeepContext + kDecodeSteps) {
            TRY(figures.decodeDeep, decodeAt(kDeepContext));
        }
        TRY_VOID(prefillTo(kLadderPrefix));
        for (std::uint32_t rows = 1; rows <= kLadderRows; ++rows) {
            TRY(figures.ladder[rows - 1],
                repeated(m_ladderRepeats + 5, 5, "steps",
                         [&](std::uint32_t) { return stepAt(kLadderPrefix, rows, true); }));
        }
        m_terminal.endProgress();
        return figures;
    }

 private:
    std::uint32_t rowsOf(std::uint32_t wanted) const {
        return std::min({wanted, m_bench.rowsMax(), m_bench.servedContext()});
    }

    Result<double> stepAt(std::uint32_t from, std::uint32_t rows, bool everyRow) {
        TRY(const std::chrono::nanoseconds time,
            m_bench.step(std::span(m_ids).subspan(from, rows), Position(from), everyRow));
        return std::chrono::duration<double>(time).count();
    }

    Result<void> prefillTo(std::uint32_t context) {
        for (std::uint32_t from = 0; from < context;) {
            const std::uint32_t rows = rowsOf(std::min(kPrefillRows, context - from));
            TRY([[maybe_unused]] const double seconds, stepAt(from, rows, false));
            from += rows;
        }
        return {};
    }

    Result<Measured> decodeAt(std::uint32_t context) {
        TRY_VOID(prefillTo(context));
        return repeated(kDecodeSteps, kDecodeWarmUp, "decode",
                        [&](std::uint32_t i) { return stepAt(context + i, 1, false); });
    }

    Result<Measured> repeated(std::uint32_t times, std::uint32_t warmUp, const char* what,
                              const std::function<Result<double>(std::uint32_t)>& once) {
        Measured measured;
        for (std::uint32_t i = 0; i < times; ++i) {
            m_terminal.progress(what, i, times);
            TRY(const double seconds, once(i));
            if (i >= warmUp) measured.seconds.push_back(seconds);
        }
        return measured;
    }

    engine::StepBench& m_bench;
    Terminal& m_terminal;
    std::uint32_t m_prefillRepeats;
    std::uint32_t m_ladderRepeats;
    std::vector<TokenId> m_ids;
};

// What surrounds the figures: the machine while they were taken.
struct Surroundings {
    double loadSeconds = 0.0;
    double bandwidthBefore = 0.0;
    double bandwidthAfter = 0.0;
    double bandwidth() const { return std::max(bandwidthBefore, bandwidthAfter); }
    bool isValid() const {
        return std::abs(bandwidthAfter - bandwidthBefore) <= kLargestDrift * bandwidth();
    }
};

std::uint64_t peakBytes() {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

// Bytes of weights read a second by plain decoding, as a share of what the machine can read.
double bandwidthShare(const engine::StepBench& bench, const Figures& figures,
                      const Surroundings& around) {
    return static_cast<double>(bench.weightBytes().value) / figures.decodeShallow.median() /
           around.bandwidth();
}

Json spreadJson(const Measured& measured) {
    return {{"runs", measured.seconds.size()},
            {"median_ms", measured.median() * 1e3},
            {"p10_ms", measured.at(0.1) * 1e3},
            {"p90_ms", measured.at(0.9) * 1e3}};
}

Json figuresJson(const engine::StepBench& bench, const Figures& figures,
                 const Surroundings& around) {
    Json ladder = Json::object();
    const double oneRow = figures.ladder[0].median();
    for (std::uint32_t rows = 1; rows <= kLadderRows; ++rows) {
        ladder[std::to_string(rows)] = figures.ladder[rows - 1].median() / oneRow;
    }
    Json json = {{"device", bench.deviceText()},
                 {"prefill512_tok_s", kPrefillRows / figures.prefill.median()},
                 {"decode_at_0_tok_s", 1.0 / figures.decodeShallow.median()}};
    json["decode_at_1024_tok_s"] =
        figures.decodeDeep ? Json(1.0 / figures.decodeDeep->median()) : Json(nullptr);
    json["ladder"] = std::move(ladder);
    json["row1_ms"] = oneRow * 1e3;
    json["spread"] = {{"prefill512", spreadJson(figures.prefill)},
                      {"decode_at_0", spreadJson(figures.decodeShallow)}};
    json["weight_bytes"] = bench.weightBytes().value;
    json["read_bandwidth_bytes_s"] = around.bandwidth();
    json["read_bandwidth_share"] = bandwidthShare(bench, figures, around);
    json["load_s"] = around.loadSeconds;
    json["peak_memory_bytes"] = peakBytes();
    json["valid"] = around.isValid();
    return json;
}

std::string figuresText(const engine::StepBench& bench, const Figures& figures,
                        const Surroundings& around) {
    char text[1024];
    int length = std::snprintf(
        text, sizeof(text),
        "device         %s\nload           %.2f s, peak memory %s\nread bandwidth %.1f GB/s\n"
        "prefill 512    %.0f tok/s\ndecode at 0    %.1f tok/s, %.0f %% of the bandwidth\n",
        bench.deviceText().c_str(), around.loadSeconds, toText(ByteCount(peakBytes())).c_str(),
        around.bandwidth() / 1e9, kPrefillRows / figures.prefill.median(),
        1.0 / figures.decodeShallow.median(), 100.0 * bandwidthShare(bench, figures, around));
    std::string all(text, static_cast<std::size_t>(length));
    length = figures.decodeDeep
                 ? std::snprintf(text, sizeof(text), "decode at 1024 %.1f tok/s\n",
                                 1.0 / figures.decodeDeep->median())
                 : std::snprintf(text, sizeof(text), "decode at 1024 not run (context)\n");
    all.append(text, static_cast<std::size_t>(length));
    all += "rows           ";
    for (std::uint32_t rows = 1; rows <= kLadderRows; ++rows) {
        length = std::snprintf(text, sizeof(text), "%u: x%.2f  ", rows,
                               figures.ladder[rows - 1].median() / figures.ladder[0].median());
        all.append(text, static_cast<std::size_t>(length));
    }
    return all + "\n";
}

Result<void> runBench(const BenchArguments& arguments, Terminal& terminal) {
    if (!arguments.engine.script.empty()) {
        return Error{ErrorKind::InvalidRequest, "bench.scripted",
                     "A script has no speed to measure.", "--engine"};
    }
    Interrupts interrupts;
    engine::OpenOptions options = arguments.engine.open;
    TRY(options.model, chosenModel(arguments.engine.model, arguments.engine.dataDir));
    if (options.context == 0) options.context = kContext;
    const std::uint32_t threads =
        options.threads == 0 ? std::max(1U, std::thread::hardware_concurrency()) : options.threads;
    Surroundings around;
    around.bandwidthBefore = readBandwidth(threads);
    const auto begin = std::chrono::steady_clock::now();
    TRY(const std::unique_ptr<engine::StepBench> bench,
        engine::StepBench::open(options, {}, interrupts.token()));
    around.loadSeconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    TRY(const Figures figures, BenchCommand(arguments, *bench, terminal).measure());
    around.bandwidthAfter = readBandwidth(threads);
    if (!around.isValid()) {
        terminal.notice(
            "agens bench: the read bandwidth changed by more than 10 % during the run; "
            "the figures are not valid.");
    }
    terminal.out(arguments.json ? toDocument(figuresJson(*bench, figures, around))
                                : figuresText(*bench, figures, around));
    return {};
}

}  // namespace

int run(const BenchArguments& arguments, Terminal& terminal) {
    const auto done = runBench(arguments, terminal);
    return done ? static_cast<int>(kOk) : terminal.fail(done.error());
}

}  // namespace agens::cli
