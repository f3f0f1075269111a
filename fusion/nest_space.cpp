#include "fusion/nest_space.h"

#include <algorithm>
#include <bit>

namespace emulsion {

namespace {

// Of parameters that the nest has; beyond any number that a rule names, it stays there.
int64_t product_of(std::span<const int64_t> values) {
    constexpr int64_t kHuge = int64_t{1} << 62;
    int64_t product = 1;
    for (const int64_t value : values) {
        if (value > 1 && product > kHuge / value) {
            return kHuge;
        }
        product *= value;
    }
    return product;
}

bool are_distinct(std::span<const int64_t> all) {
    std::vector<int64_t> values(all.begin(), all.end());
    std::erase_if(values, [](int64_t v) { return v < 0; });
    std::sort(values.begin(), values.end());
    return std::adjacent_find(values.begin(), values.end()) == values.end();
}

std::string describe(const NestDomain &domain) {
    const std::string range = std::to_string(domain.least) + " to " + std::to_string(domain.most);
    return domain.least == domain.most ? "only " + std::to_string(domain.least)
           : domain.powers_of_two      ? "powers of two from " + range
                                       : range;
}

}  // namespace

int Workgroup::all_threads() const {
    int64_t all = 1;
    for (const int64_t n : threads) {
        all *= n;
    }
    return static_cast<int>(all);
}

bool NestDomain::contains(int64_t value) const {
    return value >= least && value <= most &&
           (!powers_of_two || std::has_single_bit(static_cast<uint64_t>(value)));
}

int64_t NestDomain::at_most(int64_t value) const {
    const int64_t inside = std::clamp(value, least, most);
    return powers_of_two ? static_cast<int64_t>(std::bit_floor(static_cast<uint64_t>(inside)))
                         : inside;
}

bool NestConstraint::holds(const Nest &nest) const {
    const auto has = [&](const std::string &name) { return nest.parameters.count(name) != 0; };
    if (where && (!has(where->first) || nest.parameters.at(where->first) != where->second)) {
        return true;
    }
    if (!std::all_of(parameters.begin(), parameters.end(), has)) {
        return true;
    }
    std::vector<int64_t> values;
    for (const std::string &name : parameters) {
        values.push_back(nest.parameters.at(name));
    }
    return holds(values);
}

bool NestConstraint::holds(std::span<const int64_t> values) const {
    switch (rule) {
    case Rule::ProductAtMost: return product_of(values) <= number;
    case Rule::ProductAtLeast: return product_of(values) >= number;
    case Rule::ProductDivides: {
        const int64_t product = product_of(values);
        return product > 0 && number % product == 0;
    }
    case Rule::FewAboveOne:
        return std::count_if(values.begin(), values.end(), [](int64_t v) { return v > 1; }) <=
               number;
    case Rule::Distinct: return are_distinct(values);
    }
    return false;
}

Nest NestSpace::preferred() const {
    Nest nest{template_name, {}};
    for (const NestParameter &p : parameters) {
        if (!p.is_optional) {
            nest.parameters[p.name] = p.preferred;
        }
    }
    return nest;
}

NestEstimate NestSpace::estimate(const Nest &nest, const Machine &machine) const {
    return model ? model->estimate(nest, machine) : usual();
}

void NestSpace::estimate_for(const Machine &machine) {
    if (!model) {
        return;
    }
    for (NestPoint &point : points) {
        point.estimate = model->estimate(point.nest, machine);
    }
    if (!machine.is_gpu() || points.empty()) {
        single_rows.estimate = model->estimate(single_rows.nest, machine);
        return;
    }
    // What is computed for another operator's threads is dealt out as those are, and takes no more than it must.
    const auto least =
        std::min_element(points.begin(), points.end(), [](const NestPoint &a, const NestPoint &b) {
            return a.estimate.cycles < b.estimate.cycles;
        });
    single_rows.estimate = least->estimate;
}

const NestEstimate &NestSpace::usual() const {
    static const NestEstimate unknown;
    return points.empty() ? unknown : points.front().estimate;
}

std::string NestSpace::is_valid(const Nest &nest) const {
    std::string subject = "loop nest '" + nest.template_name + "'";
    if (nest.template_name != template_name) {
        return subject + " is not the one that is offered, '" + template_name + "'";
    }
    for (const auto &[name, value] : nest.parameters) {
        if (find(name) == nullptr) {
            return subject.append(" has no parameter '").append(name).append("'");
        }
    }
    for (const NestParameter &p : parameters) {
        const auto it = nest.parameters.find(p.name);
        if (it == nest.parameters.end() && !p.is_optional) {
            return subject + " lacks its parameter '" + p.name + "'";
        }
        if (it != nest.parameters.end() && !p.domain.contains(it->second)) {
            return subject + ": parameter '" + p.name + "' is " + std::to_string(it->second) +
                   ", accepted are " + describe(p.domain);
        }
    }
    for (const NestConstraint &constraint : constraints) {
        if (!constraint.holds(nest)) {
            return subject + " " + constraint.refusal;
        }
    }
    return "";
}

const NestParameter *NestSpace::find(const std::string &name) const {
    const auto it = std::find_if(parameters.begin(), parameters.end(),
                                 [&](const NestParameter &p) { return p.name == name; });
    return it == parameters.end() ? nullptr : &*it;
}

NestParameter *NestSpace::find(const std::string &name) {
    return const_cast<NestParameter *>(std::as_const(*this).find(name));
}

}  // namespace emulsion
