// SPDX-License-Identifier: Apache-2.0
// Forwards to the device.
#include "engine/loop/device_executor.h"

namespace agens::loop {
namespace {

class DeviceExecutor final : public Executor {
 public:
    DeviceExecutor(std::unique_ptr<device::Device> device, ExecutorLimits limits)
        : m_device(std::move(device)), m_limits(limits) {}

    ExecutorLimits limits() const override { return m_limits; }
    Result<device::StepOutputs> run(const device::StepInputs& inputs,
                                    std::stop_token stop) override {
        return m_device->run(inputs, std::move(stop));
    }
    void copyPage(device::PageId from, device::PageId to) override { m_device->copyPage(from, to); }

 private:
    std::unique_ptr<device::Device> m_device;
    ExecutorLimits m_limits;
};

}  // namespace

std::unique_ptr<Executor> makeDeviceExecutor(std::unique_ptr<device::Device> device,
                                             ExecutorLimits limits) {
    return std::make_unique<DeviceExecutor>(std::move(device), limits);
}

}  // namespace agens::loop
