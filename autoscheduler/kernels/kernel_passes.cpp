#include "autoscheduler/kernels/kernel_passes.h"

#include "autoscheduler/kernels/opencl_broadcasts.h"
#include "autoscheduler/kernels/opencl_doubles.h"
#include "autoscheduler/kernels/opencl_masks.h"
#include "autoscheduler/kernels/opencl_widths.h"
#include "autoscheduler/kernels/set_registers.h"
#include "autoscheduler/kernels/turned_blocks.h"
#include "autoscheduler/kernels/whole_stores.h"

namespace emulsion {

namespace {

using Halide::Internal::Stmt;

Stmt on_cpus(const Stmt &statement) { return with_turned_blocks(with_whole_stores(statement)); }

class KernelPasses : public Halide::Internal::IRMutator {
public:
    using IRMutator::mutate;
    Stmt mutate(const Stmt &statement) override {
        return with_whole_doubles(with_distinct_broadcasts(
            with_opencl_widths(without_masks(set_registers(on_cpus(statement))))));
    }
};

}  // namespace

void add_kernel_passes(Halide::Pipeline pipeline) {
    pipeline.add_custom_lowering_pass(new KernelPasses);
}

}  // namespace emulsion
