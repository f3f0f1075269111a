#include "tuner/recorded_facts.h"

#include <limits>

#include "fusion/error.h"
#include "tuner/points.h"

namespace emulsion {

void RecordedFacts::add(const Nest &nest, std::vector<double> values) {
    if (values.size() != names_.size()) {
        throw Error("a point has " + std::to_string(values.size()) + " facts, its task names " +
                    std::to_string(names_.size()));
    }
    values_[point_text(nest)] = std::move(values);
}

std::vector<double> RecordedFacts::of(const Nest &nest) const {
    const auto found = values_.find(point_text(nest));
    return found != values_.end()
               ? found->second
               : std::vector<double>(names_.size(), std::numeric_limits<double>::quiet_NaN());
}

}  // namespace emulsion
