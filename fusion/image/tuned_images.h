// Ways to compute image pipelines that were found by measuring: what `classics tune` writes, and what the plugin takes in the
// place of the planner's (schema emulsion-tuned-images; docs/json.md).
#pragma once

#include <map>
#include <string>

#include "fusion/nest.h"

namespace emulsion {

struct TunedImage {
    std::string label;   // of the pipeline, for people
    Nest point;          // of its space (fusion/image/image_space.h)
    double ratio = 1.0;  // its time over that of the planner's schedule
    bool operator==(const TunedImage &) const = default;
};

struct TunedImages {
    // Where they were measured, for people: what decides is the problem, of which target and threads are a part.
    std::string target;
    int threads = 1;
    std::string machine;                          // fingerprint of the processor
    std::map<std::string, TunedImage> pipelines;  // by image_problem()
    bool operator==(const TunedImages &) const = default;
};

// As a document, and back; `file` is what messages call the text. Reading throws Error for anything that writing would
// not have written.
std::string to_json(const TunedImages &tuned);
TunedImages tuned_images_from_json(const std::string &text, const std::string &file);

}  // namespace emulsion
