// SPDX-License-Identifier: Apache-2.0
// agens logits: teacher-forced logits of given ids as a safetensors file. Row n holds the raw
// logits after ids[0 … positions[n]]; no mask, no bias, no sampling transform. On failure there is
// no file.
#include <charconv>
#include <nlohmann/json.hpp>
#include <span>

#include "app/cli/commands.h"
#include "app/cli/engine_opening.h"
#include "app/cli/exit_code.h"
#include "app/cli/input.h"
#include "engine/model_file/safetensors_io.h"

namespace agens::cli {
namespace {

Error badPositions() {
    return {ErrorKind::InvalidRequest, "logits.positions",
            "Positions must be ascending and smaller than the number of ids.", "positions"};
}

// {"ids": [..], "positions": [..]} or a list of ids.
Result<engine::EvaluateRequest> requestFromFile(const std::filesystem::path& path) {
    TRY(const std::string text, readWholeFile(path));
    TRY(const Json json, parseJson(text, path.string()));
    engine::EvaluateRequest request;
    const bool isObject = json.is_object();
    TRY(request.ids, idsFrom(!isObject ? json : json.contains("ids") ? json["ids"] : Json()));
    if (!isObject || !json.contains("positions")) return request;
    if (!json["positions"].is_array()) return badPositions();
    for (const Json& position : json["positions"]) {
        if (!position.is_number_unsigned() || position.get<std::uint64_t>() >= request.ids.size()) {
            return badPositions();
        }
        const Position next(position.get<std::uint32_t>());
        if (!request.positions.empty() && next <= request.positions.back()) return badPositions();
        request.positions.push_back(next);
    }
    return request;
}

// "a:b" → positions a … b-1.
Result<std::vector<Position>> positionRange(const std::string& text, std::size_t ids) {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    const char* last = text.data() + text.size();
    const auto [colon, failedBegin] = std::from_chars(text.data(), last, begin);
    const bool hasColon = failedBegin == std::errc() && colon != last && *colon == ':';
    const auto [rest, failedEnd] = std::from_chars(hasColon ? colon + 1 : last, last, end);
    if (!hasColon || failedEnd != std::errc() || rest != last || begin >= end || end > ids) {
        return badPositions();
    }
    std::vector<Position> positions;
    for (std::uint32_t position = begin; position < end; ++position)
        positions.emplace_back(position);
    return positions;
}

std::vector<Position> everyPosition(std::size_t ids) {
    std::vector<Position> positions;
    for (std::uint32_t position = 0; position < ids; ++position)
        positions.emplace_back(position);
    return positions;
}

Result<void> write(const std::filesystem::path& path, const engine::EvaluateRequest& request,
                   const engine::Evaluation& evaluation) {
    std::vector<std::int64_t> positions;
    for (const Position position : request.positions)
        positions.push_back(position.value);
    std::vector<model_file::SafetensorsTensor> tensors = {
        {"logits",
         "F32",
         {positions.size(), evaluation.vocabRows},
         std::as_bytes(std::span(evaluation.logits))},
        {"positions", "I64", {positions.size()}, std::as_bytes(std::span(positions))}};
    if (request.wantHidden) {
        tensors.push_back({"hidden",
                           "F32",
                           {positions.size(), evaluation.hiddenSize},
                           std::as_bytes(std::span(evaluation.hidden))});
    }
    return model_file::writeSafetensors(path, tensors);
}

Result<void> runLogits(const LogitsArguments& arguments, Interrupts& interrupts,
                       Terminal& terminal) {
    TRY(engine::EvaluateRequest request, requestFromFile(arguments.tokens));
    if (!arguments.positions.empty()) {
        TRY(request.positions, positionRange(arguments.positions, request.ids.size()));
    } else if (request.positions.empty()) {
        request.positions = everyPosition(request.ids.size());
    }
    request.rowsPerStep = arguments.rows;
    request.wantHidden = arguments.hidden;
    TRY(const std::unique_ptr<engine::Engine> engine,
        openEngine(arguments.engine, terminal, interrupts.token()));
    TRY(const engine::Evaluation evaluation, engine->evaluate(request, interrupts.token()));
    return write(arguments.out, request, evaluation);
}

}  // namespace

int run(const LogitsArguments& arguments, Terminal& terminal) {
    Interrupts interrupts;
    const auto done = runLogits(arguments, interrupts, terminal);
    return done ? static_cast<int>(kOk) : terminal.fail(done.error());
}

}  // namespace agens::cli
