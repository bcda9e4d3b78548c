// SPDX-License-Identifier: Apache-2.0
// openEngine: text side first (cheap, refuses early), then the device, then the engine over both.
#include "engine/base/sha256.h"
#include "engine/engine.h"
#include "engine/engine_core.h"
#include "engine/load_model.h"
#include "engine/sampling_defaults.h"
#include "engine/text/template/chat_template.h"
#include "engine/text/template/template_choice.h"
#include "engine/text/tokenizer.h"

namespace agens::engine {
namespace {

// Lives as long as the process; the engine takes the seam, not the system.
const SystemClock kClock;

// What a person calls the model: the file's name, which they chose or downloaded. general.name is
// often a training run's label ("Smollm2 135M 8k Lc100K Mix1 Ep2"); it serves where the file's name
// is a hash.
std::string displayName(const LoadedModel& loaded) {
    const std::string stem = loaded.file.file->path().stem().string();
    return stem.empty() || stem.starts_with("sha256") ? loaded.spec.name : stem;
}

ModelFacts factsOf(const LoadedModel& loaded) {
    ModelFacts facts;
    facts.name = displayName(loaded);
    facts.family = loaded.spec.family;
    facts.quantisation = loaded.file.formatsText();
    facts.parameters = loaded.spec.parameters;
    facts.fileBytes = ByteCount(loaded.file.file->bytes().size());
    facts.trainedContext = loaded.spec.contextTrained;
    facts.defaults = samplingDefaults(loaded.file.metadata);
    return facts;
}

// The file's own template, or a built-in one where it has none. A broken one is an error: answering
// with another format than the model's would look like a bad model.
Result<void> chooseTemplate(const model_file::Metadata& metadata, EngineBundle& bundle) {
    TRY(text::ChosenTemplate chosen, text::chooseTemplate(metadata, *bundle.tokenizer));
    bundle.model.hasTemplate = chosen.source != text::TemplateSource::Plain;
    bundle.model.canThink = chosen.chatTemplate.canThink({});
    bundle.templateHash = sha256Hex(std::as_bytes(std::span(chosen.chatTemplate.source())));
    bundle.chatTemplate =
        std::make_unique<const text::ChatTemplate>(std::move(chosen.chatTemplate));
    return {};
}

}  // namespace

Result<std::unique_ptr<Engine>> openEngine(const OpenOptions& options, const LoadSink& progress,
                                           std::stop_token stop) {
    TRY(LoadedModel loaded, loadModel(options, progress, std::move(stop)));
    if (progress) progress({LoadStep::WarmingUp, 0, 1});
    TRY(text::Tokenizer tokenizer, text::Tokenizer::fromMetadata(loaded.file.metadata));
    EngineBundle bundle;
    bundle.model = factsOf(loaded);
    bundle.plan = loaded.plan;
    bundle.deviceText = deviceText(loaded.device);
    bundle.arithmeticVersion = loaded.device.arithmeticVersion;
    bundle.tokenizer = std::make_unique<const text::Tokenizer>(std::move(tokenizer));
    TRY_VOID(chooseTemplate(loaded.file.metadata, bundle));
    bundle.executor = std::move(loaded.executor);
    bundle.prefillChunk = options.prefillChunk;
    TRY(std::unique_ptr<Engine> engine, makeEngine(std::move(bundle), kClock));
    if (progress) progress({LoadStep::WarmingUp, 1, 1});
    return engine;
}

}  // namespace agens::engine
