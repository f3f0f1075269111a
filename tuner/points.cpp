#include "tuner/points.h"

#include <limits>

#include <nlohmann/json.hpp>

#include "fusion/error.h"

namespace emulsion {

namespace {

using Json = nlohmann::json;

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

}  // namespace emulsion
