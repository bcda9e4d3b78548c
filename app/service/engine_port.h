// SPDX-License-Identifier: Apache-2.0
// EnginePort: what a face of the program (window, endpoint) may ask of the one loaded model, free
// of Qt. EngineService implements it for the window.
//
//   EngineFactory   opens a model file; main gives the real one, tests and scripts give their own
//
// Errors: submit() and render() answer Busy, id "model.none", while no model is ready.
// Thread: any.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>

#include "engine/engine.h"

namespace agens::service {

using EngineFactory = std::function<Result<std::unique_ptr<engine::Engine>>(
    const std::filesystem::path& model, const engine::LoadSink& progress, std::stop_token stop)>;

enum class EngineState { None, Loading, Ready, Failed };

struct EngineStatus {
    EngineState state = EngineState::None;
    std::string model;          // name of the ready model
    engine::EngineStats stats;  // of the ready model
};

class EnginePort {
 public:
    virtual ~EnginePort() = default;
    virtual Result<std::shared_ptr<engine::RequestHandle>> submit(engine::Request request) = 0;
    virtual Result<engine::Prompt> render(const engine::Request& request) const = 0;
    virtual EngineStatus status() const = 0;
};

}  // namespace agens::service
