// SPDX-License-Identifier: Apache-2.0
// loadModel: from a file on disk to a device that can run steps. The text side (tokenizer,
// template) is not touched here; openEngine() adds it, tests and `agens logits` use the device
// directly.
//
// Served context until the planner exists: min(trained, asked, 8192); KV pages for two running
// conversations are allocated at load.
#pragma once

#include <memory>
#include <stop_token>
#include <string>

#include "engine/base/result.h"
#include "engine/device/device.h"
#include "engine/engine.h"
#include "engine/loop/executor.h"
#include "engine/model/binding.h"
#include "engine/model_file/tensor_index.h"

namespace agens::engine {

struct LoadedModel {
    model_file::ModelFile file;
    model::ModelSpec spec;
    std::unique_ptr<loop::Executor> executor;
    device::DeviceInfo device;
    PlanReport plan;
};

// Errors: those of openModelFile, readModel and the device; InvalidRequest for impossible options;
// Cancelled.
Result<LoadedModel> loadModel(const OpenOptions& options, const LoadSink& progress,
                              std::stop_token stop);

// "cpu avx512, 2 threads"
std::string deviceText(const device::DeviceInfo& info);

}  // namespace agens::engine
