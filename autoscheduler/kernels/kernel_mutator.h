// What changes kernels alone, in a lowered statement before they are taken out of it.
#pragma once

#include <Halide.h>

namespace emulsion {

class KernelMutator : public Halide::Internal::IRMutator {
public:
    using IRMutator::mutate;

protected:
    using IRMutator::visit;

    bool in_kernel() const { return api_ != Halide::DeviceAPI::None; }
    bool in_opencl_kernel() const { return api_ == Halide::DeviceAPI::OpenCL; }

    Halide::Internal::Stmt visit(const Halide::Internal::For *op) override {
        const Halide::DeviceAPI outside = api_;
        if (op->device_api != Halide::DeviceAPI::None &&
            op->device_api != Halide::DeviceAPI::Host) {
            api_ = op->device_api;
        }
        Halide::Internal::Stmt loop = IRMutator::visit(op);
        api_ = outside;
        return loop;
    }

private:
    Halide::DeviceAPI api_ = Halide::DeviceAPI::None;  // of the kernel that is looked at
};

}  // namespace emulsion
