#include "tuner/points.h"

#include <nlohmann/json.hpp>

#include "fusion/error.h"
#include "fusion/json_members.h"

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
    return {json["template"].get<std::string>(), whole_members(json["parameters"])};
}

}  // namespace emulsion
