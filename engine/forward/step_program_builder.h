// SPDX-License-Identifier: Apache-2.0
// ModelSpec + uploaded weights → StepProgram. Pure; the only place that knows the order of a layer.
#pragma once

#include "engine/device/device.h"
#include "engine/device/step_program.h"
#include "engine/model/model_spec.h"
#include "engine/weights/weight_table.h"

namespace agens::forward {

device::KvLayout kvLayout(const model::ModelSpec& spec, device::KvElement element);

// `positions`: the served context, i.e. rows of the rope table.
device::StepProgram buildStepProgram(const model::ModelSpec& spec,
                                     const weights::WeightTable& weights, std::uint32_t positions,
                                     device::ActivationMode mode);

}  // namespace agens::forward
