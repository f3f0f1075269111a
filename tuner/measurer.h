// What measures candidates: this machine, others, or a record of what was measured before.
#pragma once

#include <vector>

#include "fusion/code_features.h"
#include "tuner/outcome.h"
#include "tuner/task.h"

namespace emulsion {

class Measurer {
public:
    Measurer() = default;
    Measurer(const Measurer &) = delete;
    Measurer &operator=(const Measurer &) = delete;
    virtual ~Measurer() = default;

    // One result for each of `nests`, in their order, all beside the planned nest in one sitting. Throws Error for
    // what no candidate is to blame for.
    virtual std::vector<Result> measure(const TuningTask &task, const std::vector<Nest> &nests) = 0;
    // Features of the code of each of `nests`, without measuring it; nothing where this measurer can't tell.
    virtual std::vector<CodeFeatures> code(const TuningTask &, const std::vector<Nest> &) {
        return {};
    }
    // Since the first measurement: real ones, or the sum of recorded ones.
    virtual double seconds() const = 0;
    // Of one launch of the task with its planned nest, as it was measured last; 0 before.
    virtual double planned_ms(const TuningTask &task) const = 0;
};

}  // namespace emulsion
