// SPDX-License-Identifier: Apache-2.0
// DeviceExecutor: the Executor of a real model, a device with weights, cache and program in place.
#pragma once

#include <memory>

#include "engine/device/device.h"
#include "engine/loop/executor.h"

namespace agens::loop {

std::unique_ptr<Executor> makeDeviceExecutor(std::unique_ptr<device::Device> device,
                                             ExecutorLimits limits);

}  // namespace agens::loop
