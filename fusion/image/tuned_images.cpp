#include "fusion/image/tuned_images.h"

#include <cstdint>

#include <nlohmann/json.hpp>

#include "fusion/error.h"
#include "fusion/json_document.h"

namespace emulsion {

namespace {

using nlohmann::ordered_json;

constexpr int64_t kMostThreadsOfImages = 4096;  // as of autoscheduler.parallelism

// The value of a key, of that type. Throws Error.
const ordered_json &value_at(const ordered_json &object, const char *key,
                             bool (ordered_json::*is)() const noexcept, const char *what) {
    const auto found = object.find(key);
    if (found == object.end() || !((*found).*is)()) {
        throw Error(std::string("'").append(key).append("' is no ").append(what));
    }
    return *found;
}

std::string text_at(const ordered_json &object, const char *key) {
    return value_at(object, key, &ordered_json::is_string, "text").get<std::string>();
}

TunedImage image_from(const ordered_json &json) {
    TunedImage tuned;
    tuned.label = text_at(json, "label");
    tuned.point.template_name = text_at(json, "template");
    tuned.ratio = value_at(json, "ratio", &ordered_json::is_number, "number").get<double>();
    for (const auto &[name, value] :
         value_at(json, "parameters", &ordered_json::is_object, "object").items()) {
        if (!value.is_number_integer() ||
            (value.is_number_unsigned() && value.get<int64_t>() < 0)) {
            throw Error(
                std::string("parameter '").append(name).append("' is no whole number of 64 bits"));
        }
        tuned.point.parameters[name] = value.get<int64_t>();
    }
    return tuned;
}

}  // namespace

std::string to_json(const TunedImages &tuned) {
    ordered_json pipelines = ordered_json::array();
    for (const auto &[problem, each] : tuned.pipelines) {
        pipelines.push_back({{"problem", problem},
                             {"label", each.label},
                             {"template", each.point.template_name},
                             {"parameters", each.point.parameters},
                             {"ratio", each.ratio}});
    }
    return json_document("emulsion-tuned-images", {{"target", tuned.target},
                                                   {"threads", tuned.threads},
                                                   {"machine", tuned.machine},
                                                   {"pipelines", pipelines}});
}

TunedImages tuned_images_from_json(const std::string &text, const std::string &file) {
    return naming_file(file, [&] {
        const ordered_json json = read_json_document("emulsion-tuned-images", text, file);
        TunedImages tuned;
        tuned.target = text_at(json, "target");
        tuned.machine = text_at(json, "machine");
        const ordered_json &threads =
            value_at(json, "threads", &ordered_json::is_number_unsigned, "whole number");
        if (threads.get<uint64_t>() < 1 || threads.get<uint64_t>() > kMostThreadsOfImages) {
            throw Error(std::string("'threads' is out of range; accepted are 1 to ")
                            .append(std::to_string(kMostThreadsOfImages)));
        }
        tuned.threads = threads.get<int>();
        for (const ordered_json &each :
             value_at(json, "pipelines", &ordered_json::is_array, "list")) {
            if (!each.is_object()) {
                throw Error("'pipelines' has something else than objects");
            }
            const std::string problem = text_at(each, "problem");
            if (!tuned.pipelines.emplace(problem, image_from(each)).second) {
                throw Error(
                    std::string("'pipelines' has problem ").append(problem).append(" twice"));
            }
        }
        return tuned;
    });
}

}  // namespace emulsion
