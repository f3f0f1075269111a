#include "autoscheduler/output_box.h"

#include "fusion/error.h"

namespace emulsion {

using namespace Halide::Internal;

Box output_box(const Function &f) {
    Box box;
    for (size_t i = 0; i < f.args().size(); i++) {
        const int dim = static_cast<int>(i);
        Halide::Expr min, extent;
        for (const Bound &b : f.schedule().estimates()) {
            if (b.var == f.args()[i]) {
                min = b.min;
                extent = b.extent;
            }
        }
        if (!extent.defined() && !f.output_buffers().empty()) {
            const auto &buffer = f.output_buffers().front();
            min = buffer.min_constraint(dim).defined() ? buffer.min_constraint(dim)
                                                       : buffer.min_constraint_estimate(dim);
            extent = buffer.extent_constraint(dim).defined()
                         ? buffer.extent_constraint(dim)
                         : buffer.extent_constraint_estimate(dim);
        }
        if (!extent.defined() || !as_const_int(extent)) {
            throw Error("output '" + f.name() + "' has no estimate for its dimension " +
                        std::to_string(dim) + "; call set_estimates on it");
        }
        if (!min.defined()) {
            min = 0;
        }
        box.push_back(Interval(min, simplify(min + extent - 1)));
    }
    return box;
}

}  // namespace emulsion
