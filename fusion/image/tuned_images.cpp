#include "fusion/image/tuned_images.h"

#include <cstdint>

#include <nlohmann/json.hpp>

#include "fusion/error.h"
#include "fusion/json_document.h"
#include "fusion/json_members.h"

namespace emulsion {

namespace {

using nlohmann::ordered_json;

constexpr uint64_t kMostThreadsOfImages = 4096;  // as of autoscheduler.parallelism

TunedImage image_from(const ordered_json &json) {
    TunedImage tuned;
    tuned.label = text_member(json, "label");
    tuned.point = {text_member(json, "template"), whole_members(object_member(json, "parameters"))};
    tuned.ratio = number_member(json, "ratio");
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
        tuned.target = text_member(json, "target");
        tuned.machine = text_member(json, "machine");
        tuned.threads = static_cast<int>(count_member(json, "threads", 1, kMostThreadsOfImages));
        for (const ordered_json &each : list_member(json, "pipelines")) {
            if (!each.is_object()) {
                throw Error("'pipelines' has something else than objects");
            }
            const std::string problem = text_member(each, "problem");
            if (!tuned.pipelines.emplace(problem, image_from(each)).second) {
                throw Error(
                    std::string("'pipelines' has problem ").append(problem).append(" twice"));
            }
        }
        return tuned;
    });
}

}  // namespace emulsion
