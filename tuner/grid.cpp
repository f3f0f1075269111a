#include "tuner/grid.h"

#include <algorithm>
#include <limits>

namespace emulsion {

namespace {

// Domains up to this size are tried whole.
constexpr int64_t kFewValues = 12;

}  // namespace

const int64_t Grid::kAbsent = std::numeric_limits<int64_t>::min();

int64_t value_of(const Nest &nest, const NestParameter &parameter) {
    const auto value = nest.parameters.find(parameter.name);
    return value != nest.parameters.end() ? value->second : Grid::kAbsent;
}

void set_value(Nest &nest, const NestParameter &parameter, int64_t value) {
    if (value == Grid::kAbsent) {
        nest.parameters.erase(parameter.name);
    } else {
        nest.parameters[parameter.name] = value;
    }
}

std::vector<int64_t> tried_values(const NestDomain &domain, const std::set<int64_t> &known) {
    std::set<int64_t> values;
    if (domain.most - domain.least < kFewValues) {
        for (int64_t value = domain.least; value <= domain.most; value++) {
            values.insert(value);
        }
    } else {
        values = known;
        values.insert({domain.least, domain.most});
        for (int64_t power = 1; power > 0 && power <= domain.most; power *= 2) {
            values.insert(power);
            values.insert(power / 4 * 3);
        }
    }
    std::erase_if(values, [&](int64_t value) { return !domain.contains(value); });
    return {values.begin(), values.end()};
}

Grid::Grid(const TuningTask &task) : task_(task), values_(task.tried) {
    if (!values_.empty()) {
        return;
    }
    for (const NestParameter &parameter : task.space.parameters) {
        std::set<int64_t> known{parameter.preferred, value_of(task.planned, parameter)};
        for (const Nest &nest : task.suggested) {
            known.insert(value_of(nest, parameter));
        }
        values_.push_back(tried_values(parameter.domain, known));
        if (parameter.is_optional) {
            values_.back().insert(values_.back().begin(), kAbsent);
        }
    }
}

int64_t Grid::size() const {
    constexpr int64_t kMost = int64_t{1} << 62;
    int64_t size = 1;
    for (const std::vector<int64_t> &values : values_) {
        const auto count = static_cast<int64_t>(values.size());
        size = count > 0 && size > kMost / count ? kMost : size * count;
    }
    return size;
}

bool Grid::has(const Nest &nest) const {
    for (size_t i = 0; i < values_.size(); i++) {
        if (!std::binary_search(values_[i].begin(), values_[i].end(),
                                value_of(nest, task_.space.parameters[i]))) {
            return false;
        }
    }
    return nest.template_name == task_.space.template_name;
}

std::vector<int64_t> Grid::steps(size_t parameter, const Nest &nest) const {
    const std::vector<int64_t> &values = values_[parameter];
    const int64_t value = value_of(nest, task_.space.parameters[parameter]);
    const auto at = std::lower_bound(values.begin(), values.end(), value);
    std::vector<int64_t> around;
    if (at != values.begin()) {
        around.push_back(*std::prev(at));
    }
    const auto behind = at != values.end() && *at == value ? std::next(at) : at;
    if (behind != values.end()) {
        around.push_back(*behind);
    }
    return around;
}

std::vector<Nest> Grid::neighbours(const Nest &nest) const {
    std::vector<Nest> around;
    for (size_t i = 0; i < values_.size(); i++) {
        for (const int64_t value : steps(i, nest)) {
            Nest next = nest;
            set_value(next, task_.space.parameters[i], value);
            if (next != nest && task_.space.is_valid(next).empty()) {
                around.push_back(std::move(next));
            }
        }
    }
    return around;
}

std::vector<Nest> Grid::exchanges(const Nest &nest) const {
    const std::vector<NestParameter> &parameters = task_.space.parameters;
    std::vector<Nest> around;
    for (size_t i = 0; i < parameters.size(); i++) {
        for (size_t j = 0; j < parameters.size(); j++) {
            if (i == j || parameters[i].is_optional || parameters[j].is_optional) {
                continue;
            }
            for (const int64_t more : steps(i, nest)) {
                for (const int64_t less : steps(j, nest)) {
                    Nest next = nest;
                    set_value(next, parameters[i], more);
                    set_value(next, parameters[j], less);
                    if (more > value_of(nest, parameters[i]) &&
                        less < value_of(nest, parameters[j]) &&
                        task_.space.is_valid(next).empty()) {
                        around.push_back(std::move(next));
                    }
                }
            }
        }
    }
    return around;
}

std::optional<Nest> Grid::random_point(std::mt19937_64 &engine, KnownPoints &known) const {
    constexpr int kTries = 200, kRounds = 2, kValues = 8;
    for (int tries = 0; tries < kTries; tries++) {
        Nest nest = task_.planned;
        // In the second round, what was decided first may follow what was decided then.
        for (size_t draw = 0; draw < kRounds * values_.size(); draw++) {
            const size_t i = draw % values_.size();
            for (int value = 0; value < kValues && values_[i].size() > 1; value++) {
                Nest next = nest;
                set_value(next, task_.space.parameters[i],
                          values_[i][engine() % values_[i].size()]);
                if (task_.space.is_valid(next).empty()) {
                    nest = std::move(next);
                    break;
                }
            }
        }
        if (known.add(nest)) {
            return nest;
        }
    }
    return std::nullopt;
}

GridWalk::GridWalk(const Grid &grid) : grid_(grid), at_(grid.values().size(), 0) {
    for (const std::vector<int64_t> &values : grid.values()) {
        ended_ = ended_ || values.empty();
    }
    const NestSpace &space = grid.task().space;
    for (const NestConstraint &constraint : space.constraints) {
        const auto is_in = [&](const NestParameter &p) {
            return (constraint.where && constraint.where->first == p.name) ||
                   std::find(constraint.parameters.begin(), constraint.parameters.end(), p.name) !=
                       constraint.parameters.end();
        };
        const auto last =
            std::find_if(space.parameters.rbegin(), space.parameters.rend(), is_in).base();
        decided_at_.push_back(static_cast<size_t>(last - space.parameters.begin()) - 1);
    }
}

std::vector<Nest> GridWalk::next(size_t most) {
    constexpr int kMostInvalid = 1'000'000;
    std::vector<Nest> found;
    for (int invalid = 0; !ended_ && found.size() < most;) {
        Nest nest = here();
        const std::optional<size_t> broken = broken_at(nest);
        ended_ = !advance(broken.value_or(at_.size() - 1)) || (broken && ++invalid == kMostInvalid);
        if (!broken) {
            found.push_back(std::move(nest));
            invalid = 0;
        }
    }
    return found;
}

bool GridWalk::advance(size_t parameter) {
    std::fill(at_.begin() + static_cast<std::ptrdiff_t>(parameter) + 1, at_.end(), 0);
    for (size_t i = parameter + 1; i-- > 0;) {
        if (++at_[i] < grid_.values()[i].size()) {
            return true;
        }
        at_[i] = 0;
    }
    return false;
}

std::optional<size_t> GridWalk::broken_at(const Nest &nest) const {
    const std::vector<NestConstraint> &constraints = grid_.task().space.constraints;
    std::optional<size_t> broken;
    for (size_t i = 0; i < constraints.size(); i++) {
        if (decided_at_[i] < broken.value_or(at_.size()) && !constraints[i].holds(nest)) {
            broken = decided_at_[i];
        }
    }
    return broken;
}

Nest GridWalk::here() const {
    Nest nest{grid_.task().space.template_name, {}};
    for (size_t i = 0; i < at_.size(); i++) {
        set_value(nest, grid_.task().space.parameters[i], grid_.values()[i][at_[i]]);
    }
    return nest;
}

TuningTask narrowed(TuningTask task, size_t most) {
    for (NestParameter &parameter : task.space.parameters) {
        const int64_t planned = value_of(task.planned, parameter);
        const bool is_suggested =
            std::any_of(task.suggested.begin(), task.suggested.end(),
                        [&](const Nest &nest) { return value_of(nest, parameter) != planned; });
        if (!is_suggested && planned != Grid::kAbsent) {
            parameter.domain = {planned, planned};
            parameter.preferred = planned;
            parameter.is_optional = false;
        }
    }
    while (true) {
        std::erase_if(task.suggested,
                      [&](const Nest &nest) { return !task.space.is_valid(nest).empty(); });
        const Grid grid(task);
        if (GridWalk(grid).next(most + 1).size() <= most) {
            return task;
        }
        // The one with most values loses the one that is furthest from what is planned.
        const auto longest =
            std::max_element(grid.values().begin(), grid.values().end(),
                             [](const auto &a, const auto &b) { return a.size() < b.size(); });
        NestParameter &parameter =
            task.space.parameters[static_cast<size_t>(longest - grid.values().begin())];
        const auto planned =
            std::lower_bound(longest->begin(), longest->end(), value_of(task.planned, parameter));
        if (std::distance(longest->begin(), planned) > std::distance(planned, longest->end()) - 1) {
            parameter.is_optional = false;
            parameter.domain.least = (*longest)[1];
        } else {
            parameter.domain.most = (*longest)[longest->size() - 2];
        }
        parameter.preferred = parameter.domain.at_most(parameter.preferred);
    }
}

}  // namespace emulsion
