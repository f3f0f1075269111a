#include "tests/autoscheduler/torch_pipelines.h"

#include "autoscheduler/apply.h"

namespace emulsion {

using Halide::Buffer;
using Halide::Func;

Func torch_input(const std::vector<int> &size) {
    Buffer<float> buffer(size);
    int i = 0;
    buffer.for_each_value([&](float &value) { value = (i++ * 7919 % 251 - 125) / 100.0f; });
    Func in("in");
    in(Halide::_) = buffer(Halide::_);
    return in;
}

Halide::Target torch_target() {
    return Halide::get_jit_target_from_environment()
        .with_feature(Halide::Target::StrictFloat)
        .with_feature(Halide::Target::NoAsserts);
}

Buffer<float> run_torch(const Func &out, const std::vector<int> &size, bool planned) {
    if (planned) {
        apply_plan({out}, plan_of({{out}, {}}), torch_target());
    } else {
        for (const auto &[name, f] : Halide::Internal::find_transitive_calls(out.function())) {
            Func(f).compute_root();
        }
    }
    Buffer<float> result(size);
    Func(out).realize(result, torch_target());
    return result;
}

}  // namespace emulsion
