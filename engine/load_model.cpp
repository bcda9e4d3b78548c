// SPDX-License-Identifier: Apache-2.0
// The order of loading: read the header, check, make the device, upload, allocate the cache,
// prepare.
#include "engine/load_model.h"

#include <algorithm>
#include <thread>

#include "engine/device/cpu/cpu_device.h"
#include "engine/device/reference/reference_device.h"
#include "engine/forward/step_program_builder.h"
#include "engine/loop/device_executor.h"
#include "engine/weights/weight_table.h"

namespace agens::engine {
namespace {

constexpr std::uint32_t kContextCap = 8192;
constexpr std::uint32_t kRunningConversations = 2;
constexpr std::uint64_t kWideBelowParameters = 500'000'000;
constexpr std::uint32_t kThreadsMost = 8;
constexpr std::uint32_t kRowsMax = 512;
constexpr std::uint64_t kLogitsBytes = std::uint64_t{64} << 20;  // rows with logits of one step

device::cpu::Isa chosenIsa(IsaChoice choice) {
    switch (choice) {
        case IsaChoice::Auto:
            return device::cpu::availableIsas().back();
        case IsaChoice::Scalar:
            return device::cpu::Isa::Scalar;
        case IsaChoice::ScalarFma:
            return device::cpu::Isa::ScalarFma;
        case IsaChoice::Avx2:
            return device::cpu::Isa::Avx2;
        case IsaChoice::Avx512:
            return device::cpu::Isa::Avx512;
    }
    return device::cpu::Isa::Scalar;
}

// Measured on the starter model (golden_real_test, 1,841 positions): KL against f32 3.1e-3 with
// int8 activations, as the field's usual engines have it, 5e-7 with wide ones, and then every
// position has the f32 winner. Wide costs a second dot product: nothing while decoding, which waits
// for weights, about 40 % of prefill speed.
device::ActivationMode activationMode(Activations asked, const model::ModelSpec& spec) {
    switch (asked) {
        case Activations::Auto:
            return spec.parameters < kWideBelowParameters ? device::ActivationMode::Wide
                                                          : device::ActivationMode::Int8;
        case Activations::Int8:
            return device::ActivationMode::Int8;
        case Activations::Wide:
            return device::ActivationMode::Wide;
        case Activations::F32:
            return device::ActivationMode::F32;
    }
    return device::ActivationMode::Int8;
}

Result<std::unique_ptr<device::Device>> makeDevice(const OpenOptions& options,
                                                   device::ActivationMode mode) {
    if (options.device == DeviceChoice::Reference) return device::makeReferenceDevice(mode);
    const std::uint32_t cores = std::max(1U, std::thread::hardware_concurrency());
    return device::cpu::makeCpuDevice(
        {.isa = chosenIsa(options.isa),
         .threads = options.threads == 0 ? std::min(cores, kThreadsMost) : options.threads,
         .mode = mode});
}

// The served context and the reason that limits it.
std::pair<std::uint32_t, std::string> servedContext(const model::ModelSpec& spec,
                                                    std::uint32_t asked) {
    std::pair<std::uint32_t, std::string> served = {spec.contextTrained, "trained context"};
    if (kContextCap < served.first) served = {kContextCap, "cap of 8192 tokens"};
    if (asked != 0 && asked < served.first) served = {asked, "--ctx"};
    return served;
}

device::RowLimits rowLimits(const model::ModelSpec& spec) {
    const std::uint64_t rowBytes = std::uint64_t{spec.vocabRows} * sizeof(float);
    const auto wanted = static_cast<std::uint32_t>(
        std::clamp<std::uint64_t>(kLogitsBytes / rowBytes, 16, kRowsMax));
    return {.rows = kRowsMax, .wanted = wanted};
}

PlanReport planReport(const device::Device& device, std::uint32_t served, std::string limit) {
    const device::DeviceMemory memory = device.memory();
    PlanReport plan;
    plan.arenas = {{"weights", memory.weights},
                   {"kv pages", memory.kvPages},
                   {"activations", memory.activations}};
    plan.servedContext = served;
    plan.limit = std::move(limit);
    plan.runningConversations = kRunningConversations;
    return plan;
}

void report(const LoadSink& progress, LoadStep step, std::uint64_t done, std::uint64_t total) {
    if (progress) progress({step, done, total});
}

}  // namespace

Result<LoadedModel> loadModel(const OpenOptions& options, const LoadSink& progress,
                              std::stop_token stop) {
    report(progress, LoadStep::Checking, 0, 1);
    LoadedModel loaded;
    TRY(loaded.file, model_file::openModelFile(options.model));
    TRY(const model::Model model, model::readModel(loaded.file));
    loaded.spec = model.spec;
    const device::ActivationMode mode = activationMode(options.activations, model.spec);
    TRY(std::unique_ptr<device::Device> device, makeDevice(options, mode));
    loaded.device = device->info();
    const auto [served, limit] = servedContext(model.spec, options.context);
    report(progress, LoadStep::Checking, 1, 1);

    const weights::UploadProgress uploaded = [&](std::uint64_t done, std::uint64_t total) {
        report(progress, LoadStep::Reading, done, total);
    };
    TRY(const weights::WeightTable table,
        weights::uploadWeights(loaded.file, model, served, *device, uploaded, stop));

    report(progress, LoadStep::Preparing, 0, 1);
    const auto element =
        options.kv == KvFormat::F32 ? device::KvElement::F32 : device::KvElement::F16;
    const std::uint32_t pages =
        kRunningConversations * ((served + device::kPagePositions - 1) / device::kPagePositions);
    TRY_VOID(device->allocateKv(forward::kvLayout(model.spec, element), pages));
    const device::RowLimits rows = rowLimits(model.spec);
    TRY_VOID(device->prepare(forward::buildStepProgram(model.spec, table, served, mode), rows));
    loaded.plan = planReport(*device, served, limit);
    report(progress, LoadStep::Preparing, 1, 1);

    loaded.executor =
        loop::makeDeviceExecutor(std::move(device), {.rowsMax = rows.rows,
                                                     .wantedMax = rows.wanted,
                                                     .vocabRows = model.spec.vocabRows,
                                                     .pages = pages,
                                                     .contextTokens = served,
                                                     .runningSequences = kRunningConversations});
    return loaded;
}

std::string deviceText(const device::DeviceInfo& info) {
    return info.name + (info.isa.empty() ? "" : " " + info.isa) + ", " +
           std::to_string(info.threads) + (info.threads == 1 ? " thread" : " threads");
}

}  // namespace agens::engine
