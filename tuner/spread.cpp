#include "tuner/spread.h"

#include <algorithm>
#include <cmath>

#include "tuner/grid.h"

namespace emulsion {

namespace {

// How far a value is from the next one: sizes by their magnitudes.
double magnitude(int64_t value) {
    return value == Grid::kAbsent
               ? -1.0
               : std::log2(static_cast<double>(std::max<int64_t>(value, 0)) + 1.0);
}

// Without the value, not the planned one, whose neighbours are the nearest to each other.
void thin(std::vector<int64_t> &values, int64_t planned) {
    size_t drop = 0;
    constexpr double kFar = 1e6;
    double least = 1e300;
    for (size_t i = 0; i < values.size(); i++) {
        const double before = magnitude(values[i == 0 ? 0 : i - 1]);
        const double behind = magnitude(values[std::min(i + 1, values.size() - 1)]);
        // Both ends stay as long as there are others.
        const bool is_end = i == 0 || i + 1 == values.size();
        const double gap = is_end ? kFar : behind - before;
        if (values[i] != planned && gap < least) {
            least = gap;
            drop = i;
        }
    }
    values.erase(values.begin() + static_cast<std::ptrdiff_t>(drop));
}

class Spread {
public:
    explicit Spread(TuningTask task) : task_(std::move(task)), values_(Grid(task_).values()) {
        for (const NestParameter &parameter : task_.space.parameters) {
            planned_.push_back(value_of(task_.planned, parameter));
            task_.tried.push_back({planned_.back()});
        }
    }

    TuningTask run(size_t most) {
        for (const size_t parameter : by_importance()) {
            add(parameter, most);
        }
        std::erase_if(task_.suggested, [&](const Nest &nest) { return !Grid(task_).has(nest); });
        return std::move(task_);
    }

private:
    // The parameters with several values, those that matter most first.
    std::vector<size_t> by_importance() const {
        std::vector<size_t> order;
        std::vector<double> importance;
        for (size_t p = 0; p < values_.size(); p++) {
            const NestType type = task_.space.parameters[p].type;
            const double of_suggested = suggestions_with_another(p);
            importance.push_back(spread_of_facts(p) + 0.01 * of_suggested);
            // Loops along other axes are other code, and slow mostly.
            const bool is_axis = type == NestType::Axis || type == NestType::Axes;
            if (values_[p].size() > 1 && (!is_axis || of_suggested > 0.0)) {
                order.push_back(p);
            }
        }
        std::stable_sort(order.begin(), order.end(),
                         [&](size_t a, size_t b) { return importance[a] > importance[b]; });
        return order;
    }

    double suggestions_with_another(size_t p) const {
        return static_cast<double>(
            std::count_if(task_.suggested.begin(), task_.suggested.end(), [&](const Nest &nest) {
                return value_of(nest, task_.space.parameters[p]) != planned_[p];
            }));
    }

    // How far the last fact, which is of the whole point, is apart between the planned nest and those that have another value.
    double spread_of_facts(size_t p) const {
        if (!task_.facts || task_.facts->names().empty()) {
            return 0.0;
        }
        const double planned = task_.facts->of(task_.planned).back();
        double most = 0.0;
        for (const int64_t value : values_[p]) {
            Nest nest = task_.planned;
            set_value(nest, task_.space.parameters[p], value);
            if (task_.space.is_valid(nest).empty()) {
                const double apart = std::fabs(task_.facts->of(nest).back() - planned);
                most = std::isfinite(apart) ? std::max(most, apart) : most;
            }
        }
        return most;
    }

    // With as many of its values as there is room for.
    void add(size_t p, size_t most) {
        std::vector<int64_t> &tried = task_.tried[p];
        tried = values_[p];
        while (tried.size() > kMostValues) {
            thin(tried, planned_[p]);
        }
        while (tried.size() > 1 && GridWalk(Grid(task_)).next(most + 1).size() > most) {
            thin(tried, planned_[p]);
        }
    }

    static constexpr size_t kMostValues = 7;

    TuningTask task_;
    const std::vector<std::vector<int64_t>> values_;
    std::vector<int64_t> planned_;  // by parameter
};

}  // namespace

TuningTask spread(TuningTask task, size_t most) { return Spread(std::move(task)).run(most); }

}  // namespace emulsion
