#include "autoscheduler/templates/support/stored_copy.h"

#include <vector>

namespace emulsion {

Halide::Func stored_copy(Halide::Func f) {
    Halide::Func stored = f.in();
    const auto &schedule = f.function().schedule();
    stored.compute_at(schedule.compute_level());
    stored.store_at(schedule.store_level());
    std::vector<Halide::Var> order;
    for (const auto &dim : schedule.storage_dims()) {
        order.emplace_back(dim.var);
    }
    if (order.size() > 1) {
        stored.reorder_storage(order);
    }
    return stored;
}

}  // namespace emulsion
