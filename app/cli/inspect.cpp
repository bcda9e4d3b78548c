// SPDX-License-Identifier: Apache-2.0
// agens inspect: container, metadata, tensors, family and what is wrong with a file. Reads headers
// only. A file that cannot be opened is exit 1; a file that opens but is no usable model is exit 0
// with the reason under "problems".
#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/exit_code.h"
#include "app/cli/json_output.h"
#include "engine/base/units.h"
#include "engine/model/binding.h"
#include "engine/model_file/tensor_index.h"

namespace agens::cli {
namespace {

using model_file::MetadataValue;
using model_file::ModelFile;
using model_file::TensorEntry;

constexpr std::size_t kShownText = 60;

struct Inspection {
    ModelFile file;
    std::optional<model::ModelSpec> spec;
    std::vector<Error> problems;
};

Result<Inspection> inspected(const std::filesystem::path& path) {
    Inspection inspection;
    TRY(inspection.file, model_file::openModelFile(path));
    auto model = model::readModel(inspection.file);
    if (model) {
        inspection.spec = std::move(model->spec);
    } else {
        inspection.problems.push_back(std::move(model).error());
    }
    return inspection;
}

Json specJson(const model::ModelSpec& spec) {
    const model::LayerSpec& layer = spec.layers.front();
    return {{"name", spec.name},
            {"parameters", spec.parameters},
            {"layers", spec.layers.size()},
            {"hidden", spec.hidden},
            {"ffn", layer.ffnSize},
            {"heads", layer.qHeads},
            {"kv_heads", layer.kvHeads},
            {"head_dim", layer.headDim},
            {"vocab_rows", spec.vocabRows},
            {"context_trained", spec.contextTrained},
            {"tied_head", spec.tiedHead},
            {"norm_eps", spec.normEps},
            {"rope_base", spec.rope.base}};
}

Json valueJson(const MetadataValue& value) {
    return std::visit(
        [](const auto& held) -> Json {
            using Held = std::decay_t<decltype(held)>;
            if constexpr (requires { held.front(); } && !std::is_same_v<Held, std::string>) {
                return {{"count", held.size()}};  // vocabularies: a hundred thousand entries
            } else {
                return held;
            }
        },
        value);
}

Json inspectionJson(const Inspection& inspection) {
    Json metadata = Json::object();
    for (const auto& [key, value] : inspection.file.metadata.all())
        metadata[key] = valueJson(value);
    Json tensors = Json::array();
    for (const TensorEntry& tensor : inspection.file.tensors) {
        tensors.push_back({{"name", tensor.name},
                           {"format", device::factsOf(tensor.format).name},
                           {"shape", tensor.shape},
                           {"bytes", tensor.bytes}});
    }
    Json problems = Json::array();
    for (const Error& problem : inspection.problems)
        problems.push_back(errorJson(problem)["error"]);
    Json json = {{"container", inspection.file.container}};
    json["family"] = inspection.spec ? Json(inspection.spec->family) : Json(nullptr);
    json["spec"] = inspection.spec ? specJson(*inspection.spec) : Json(nullptr);
    json["metadata"] = std::move(metadata);
    json["tensors"] = std::move(tensors);
    json["problems"] = std::move(problems);
    return json;
}

// A metadata value on one line; long texts are cut, lists counted.
std::string shownValue(const MetadataValue& value) {
    const Json json = valueJson(value);
    if (json.is_object())
        return "[" + std::to_string(json["count"].get<std::size_t>()) + " entries]";
    if (!json.is_string()) return json.dump();
    std::string text = json.get<std::string>();
    std::ranges::replace(text, '\n', ' ');
    return text.size() <= kShownText ? text : text.substr(0, kShownText) + "…";
}

std::string shapeText(const TensorEntry& tensor) {
    std::string text;
    for (const std::uint64_t size : tensor.shape) {
        text += (text.empty() ? "[" : ", ") + std::to_string(size);
    }
    return text + "]";
}

void printSpec(const model::ModelSpec& spec, Terminal& terminal) {
    char line[200];
    std::snprintf(line, sizeof(line), "%.1f M parameters, %zu layers, width %u, context %u",
                  static_cast<double>(spec.parameters) / 1e6, spec.layers.size(), spec.hidden,
                  spec.contextTrained);
    terminal.outForeign("Family     " + spec.family + "\nModel      " + spec.name + ", " + line +
                        "\n");
}

void print(const Inspection& inspection, Terminal& terminal) {
    const ModelFile& file = inspection.file;
    terminal.out("Container  " + file.container + ", " +
                 toText(ByteCount(file.file->bytes().size())) + "\n");
    if (inspection.spec) printSpec(*inspection.spec, terminal);
    if (!file.tensors.empty()) terminal.out("Formats    " + file.formatsText() + "\n");
    terminal.out("\nMetadata\n");
    for (const auto& [key, value] : file.metadata.all()) {
        terminal.outForeign("  " + key + " = " + shownValue(value) + "\n");
    }
    terminal.out("\nTensors    " + std::to_string(file.tensors.size()) + "\n");
    for (const TensorEntry& tensor : file.tensors) {
        terminal.outForeign("  " + tensor.name + "  " + device::factsOf(tensor.format).name + "  " +
                            shapeText(tensor) + "  " + toText(ByteCount(tensor.bytes)) + "\n");
    }
    if (!inspection.problems.empty()) terminal.out("\nProblems\n");
    for (const Error& problem : inspection.problems)
        terminal.outForeign("  " + problem.text() + "\n");
}

}  // namespace

int run(const InspectArguments& arguments, Terminal& terminal) {
    const auto inspection = inspected(arguments.path);
    if (!inspection && arguments.json) {
        terminal.out(toDocument(errorJson(inspection.error())));
        return kFailed;
    }
    if (!inspection) return terminal.fail(inspection.error());
    if (arguments.json) {
        terminal.out(toDocument(inspectionJson(*inspection)));
    } else {
        print(*inspection, terminal);
    }
    return kOk;
}

}  // namespace agens::cli
