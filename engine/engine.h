// SPDX-License-Identifier: Apache-2.0
// The only header the application includes: open a model, submit a request, read its events.
//
//   Engine            one loaded model; all calls thread-safe; destroyed = every request ends
//   RequestHandle     one request: next() gives its events in order, cancel() stops it
//
// openEngine() loads a real model; openScriptedEngine() runs the same loop, sampler and text path
// over a script (desktop: "Running without a model"), so window and terminal work without a model.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/base/clock.h"
#include "engine/base/result.h"
#include "engine/base/units.h"
#include "engine/events.h"
#include "engine/plan_report.h"
#include "engine/request.h"

namespace agens::engine {

enum class DeviceChoice { Cpu, Reference };
enum class IsaChoice { Auto, Scalar, ScalarFma, Avx2, Avx512 };
enum class KvFormat { F16, F32 };
// How the inputs of quantised matrices are rounded: 8 bits per group of 32, 15 bits (Wide), or not
// at all (F32: diagnostic, for tests against float references). Auto: Wide for models below 500
// million parameters, which 8 bits hurt most and which read their prompts fast anyway; else Int8.
enum class Activations { Auto, Int8, Wide, F32 };

struct OpenOptions {
    std::filesystem::path model;
    DeviceChoice device = DeviceChoice::Cpu;
    IsaChoice isa = IsaChoice::Auto;
    std::uint32_t threads = 0;  // 0 = one per core, at most 8
    KvFormat kv = KvFormat::F16;
    Activations activations = Activations::Auto;
    std::uint32_t context = 0;  // 0 = as much as is served
    std::uint32_t prefillChunk =
        0;  // rows of a prefill step; 0 = the engine's choice (tests set it)
};

// Steps of loading, in this order; done/total count bytes of the step.
enum class LoadStep { Checking, Reading, Preparing, WarmingUp };
struct LoadProgress {
    LoadStep step = LoadStep::Checking;
    std::uint64_t done = 0;
    std::uint64_t total = 0;
};
using LoadSink = std::function<void(const LoadProgress&)>;

struct ModelFacts {
    std::string name;          // the file's name without its ending
    std::string family;        // "llama"
    std::string quantisation;  // "Q4_1, Q8_0, F32"
    std::uint64_t parameters = 0;
    ByteCount fileBytes;
    std::uint32_t trainedContext = 0;
    bool hasTemplate = true;  // false: plain completion model
    bool canThink = false;
    SamplingValues defaults;
};

class RequestHandle {
 public:
    virtual ~RequestHandle() = default;
    // The next event, waiting at most `timeout`; nothing = none came. After Finished or Failed
    // there are no more.
    virtual std::optional<Event> next(std::chrono::milliseconds timeout) = 0;
    // Called from the engine thread whenever an event was added; must return at once. Set before
    // the first next(). Replaces polling.
    virtual void onEvent(std::function<void()> wake) = 0;
    // Asks for the end; Finished{Cancelled} follows within 250 ms. Idempotent.
    virtual void cancel() = 0;
};

// A prompt as the model sees it.
struct PromptSpan {
    std::size_t begin = 0;  // bytes of text
    std::size_t end = 0;
    bool isContent = false;  // false: template text
};
struct Prompt {
    std::string text;
    std::vector<PromptSpan> spans;
    std::vector<TokenId> ids;
};

// Teacher-forced rows, for `agens logits` and tests.
struct EvaluateRequest {
    std::vector<TokenId> ids;
    std::vector<Position> positions;  // ascending; empty = all
    std::uint32_t rowsPerStep = 0;    // 0 = the engine's prefill chunk
    bool wantHidden = false;          // hidden rows after the final norm as well
};
struct Evaluation {
    std::uint32_t vocabRows = 0;
    std::vector<float> logits;  // [positions, vocabRows]
    std::uint32_t hiddenSize = 0;
    std::vector<float> hidden;  // [positions, hiddenSize] if asked
};

struct EngineStats {
    std::uint32_t running = 0;
    std::uint32_t waiting = 0;
    std::uint32_t pagesTotal = 0;
    std::uint32_t pagesFree = 0;
    std::uint64_t steps = 0;
    std::uint64_t rows = 0;
    bool needsReload = false;  // after a CheckFailure
};

class Engine {
 public:
    virtual ~Engine() = default;
    virtual const ModelFacts& model() const = 0;
    virtual const PlanReport& plan() const = 0;
    virtual std::string deviceText() const = 0;  // "cpu avx512, 2 threads"
    // Renders and tokenises on the calling thread (never call it from a UI thread), then queues.
    // Errors: InvalidRequest (template, values, longer than the served context), Busy.
    virtual Result<std::shared_ptr<RequestHandle>> submit(Request request) = 0;
    // Spans and ids without generating.
    virtual Result<Prompt> render(const Request& request) const = 0;
    virtual Result<Evaluation> evaluate(const EvaluateRequest& request, std::stop_token stop) = 0;
    virtual EngineStats stats() const = 0;
};

Result<std::unique_ptr<Engine>> openEngine(const OpenOptions& options, const LoadSink& progress,
                                           std::stop_token stop);
Result<std::unique_ptr<Engine>> openScriptedEngine(const std::filesystem::path& script,
                                                   const LoadSink& progress, std::stop_token stop);

}  // namespace agens::engine
