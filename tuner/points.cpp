#include "tuner/points.h"

#include <algorithm>
#include <limits>

#include <nlohmann/json.hpp>

#include "fusion/error.h"
#include "fusion/random_nest.h"

namespace emulsion {

namespace {

using Json = nlohmann::json;

// Of a parameter that a nest may lack.
constexpr int64_t kAbsent = std::numeric_limits<int64_t>::min();
// Domains up to this size are tried whole.
constexpr int64_t kFewValues = 12;

std::vector<int64_t> values_of(const NestParameter &parameter, const Nest &planned) {
    const auto known = planned.parameters.find(parameter.name);
    std::vector<int64_t> values = tried_values(
        parameter.domain, known != planned.parameters.end() ? known->second : parameter.preferred);
    if (parameter.is_optional) {
        values.insert(values.begin(), kAbsent);
    }
    return values;
}

void set(Nest &nest, const NestParameter &parameter, int64_t value) {
    if (value == kAbsent) {
        nest.parameters.erase(parameter.name);
    } else {
        nest.parameters[parameter.name] = value;
    }
}

// The values before and behind that of `nest`.
std::vector<int64_t> steps(const NestParameter &parameter, const Nest &planned, const Nest &nest) {
    const std::vector<int64_t> values = values_of(parameter, planned);
    const auto mine = nest.parameters.find(parameter.name);
    const int64_t value = mine != nest.parameters.end() ? mine->second : kAbsent;
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

}  // namespace

std::string point_text(const Nest &nest) {
    return Json{{"template", nest.template_name}, {"parameters", nest.parameters}}.dump();
}

Nest point_from(const std::string &text) {
    const Json json = Json::parse(text, nullptr, false);
    if (!json.is_object() || json.size() != 2 || !json.contains("template") ||
        !json.contains("parameters") || !json["template"].is_string() ||
        !json["parameters"].is_object()) {
        throw Error("a point is not {\"parameters\":{...},\"template\":\"...\"}");
    }
    Nest nest{json["template"].get<std::string>(), {}};
    for (const auto &[name, value] : json["parameters"].items()) {
        if (!value.is_number_integer() ||
            (value.is_number_unsigned() &&
             value.get<uint64_t>() > static_cast<uint64_t>(std::numeric_limits<int64_t>::max()))) {
            throw Error("a point's parameter '" + name + "' is " + value.dump() +
                        ", which is no whole number of 64 bits");
        }
        nest.parameters[name] = value.get<int64_t>();
    }
    return nest;
}

std::vector<int64_t> tried_values(const NestDomain &domain, int64_t known) {
    std::set<int64_t> values;
    if (domain.most - domain.least < kFewValues) {
        for (int64_t value = domain.least; value <= domain.most; value++) {
            values.insert(value);
        }
    } else {
        values = {domain.least, domain.most, known};
        for (int64_t power = 1; power > 0 && power <= domain.most; power *= 2) {
            values.insert(power);
            values.insert(power / 4 * 3);
        }
    }
    std::erase_if(values, [&](int64_t value) { return !domain.contains(value); });
    return {values.begin(), values.end()};
}

int64_t grid_size(const NestSpace &space, const Nest &planned) {
    constexpr int64_t kMost = int64_t{1} << 62;
    int64_t size = 1;
    for (const NestParameter &parameter : space.parameters) {
        const auto count = static_cast<int64_t>(values_of(parameter, planned).size());
        size = count > 0 && size > kMost / count ? kMost : size * count;
    }
    return size;
}

GridWalk::GridWalk(const NestSpace &space, const Nest &planned)
    : space_(space), at_(space.parameters.size(), 0) {
    for (const NestParameter &parameter : space.parameters) {
        values_.push_back(values_of(parameter, planned));
        ended_ = ended_ || values_.back().empty();
    }
}

std::vector<Nest> GridWalk::next(size_t most) {
    constexpr int kMostInvalid = 1'000'000;
    std::vector<Nest> found;
    for (int invalid = 0; !ended_ && found.size() < most;) {
        Nest nest = here();
        ended_ = !advance();
        if (space_.is_valid(nest).empty()) {
            found.push_back(std::move(nest));
            invalid = 0;
        } else if (++invalid == kMostInvalid) {
            ended_ = true;
        }
    }
    return found;
}

bool GridWalk::advance() {
    for (size_t i = at_.size(); i-- > 0;) {
        if (++at_[i] < values_[i].size()) {
            return true;
        }
        at_[i] = 0;
    }
    return false;
}

Nest GridWalk::here() const {
    Nest nest{space_.template_name, {}};
    for (size_t i = 0; i < at_.size(); i++) {
        set(nest, space_.parameters[i], values_[i][at_[i]]);
    }
    return nest;
}

std::vector<Nest> neighbours(const NestSpace &space, const Nest &planned, const Nest &nest) {
    std::vector<Nest> around;
    KnownPoints known;
    known.add(nest);
    const auto add = [&](const Nest &next) {
        if (space.is_valid(next).empty() && known.add(next)) {
            around.push_back(next);
        }
    };
    for (const NestParameter &first : space.parameters) {
        for (const int64_t value : steps(first, planned, nest)) {
            Nest next = nest;
            set(next, first, value);
            add(next);
        }
    }
    for (const NestParameter &first : space.parameters) {
        for (const NestParameter &second : space.parameters) {
            if (&first == &second || first.is_optional || second.is_optional) {
                continue;
            }
            for (const int64_t more : steps(first, planned, nest)) {
                for (const int64_t less : steps(second, planned, nest)) {
                    Nest next = nest;
                    set(next, first, more);
                    set(next, second, less);
                    if (more > nest.parameters.at(first.name) &&
                        less < nest.parameters.at(second.name)) {
                        add(next);
                    }
                }
            }
        }
    }
    return around;
}

std::optional<Nest> new_random_point(const TuningTask &task, std::mt19937_64 &engine,
                                     KnownPoints &known) {
    constexpr int kTries = 200;
    for (int tries = 0; tries < kTries; tries++) {
        Nest nest = random_nest(task.space, task.planned, engine);
        if (known.add(nest)) {
            return nest;
        }
    }
    return std::nullopt;
}

}  // namespace emulsion
