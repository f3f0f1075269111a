// What the plugin decided of a Halide pipeline, from the plan that it wrote: what `emulsion explain PLAN.json` shows.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "bench/explain/picture.h"
#include "fusion/placed_stages.h"

namespace emulsion {

struct PipelineExplanation {
    std::string file;
    Plan plan;
    std::vector<PlacedStage> stages;

    // Predicted cycles of a group over those of all; 0 where the plan has none.
    double share(int group) const;
    int groups() const;  // that compute stages
};

// Whether it is a file of JSON, and so no model.
bool is_json_file(const std::string &file);

// Reads the plan (schema emulsion-plan). Throws Error, naming the file.
PipelineExplanation explain_pipeline(const std::string &file);

// A table; the same as JSON (schema emulsion-explain-pipeline); and a page that needs no other file.
std::string pipeline_text(const PipelineExplanation &explanation);
nlohmann::ordered_json pipeline_json(const PipelineExplanation &explanation);
std::string pipeline_page(const PipelineExplanation &explanation, const Picture &picture);

// The stages with arrows to their readers, in the boxes of their groups.
Picture draw_pipeline(const PipelineExplanation &explanation);

}  // namespace emulsion
