// SPDX-License-Identifier: Apache-2.0
// ReferenceDevice: runs a StepProgram op by op in plain scalar code on one thread. It defines what
// every other device must compute, and is kept free of tricks. It allocates as it likes.
#pragma once

#include <memory>

#include "engine/device/device.h"

namespace agens::device {

std::unique_ptr<Device> makeReferenceDevice(ActivationMode mode);

}  // namespace agens::device
