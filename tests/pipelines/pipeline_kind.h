// A kind of stages that random pipelines are made of. One file in tests/pipelines/kinds/ that defines
//
//     const PipelineKind &pipeline_kind_<file>();
//
// found when CMake configures.
#pragma once

#include <functional>
#include <span>
#include <string>

namespace emulsion {

namespace test {
class PipelineMaker;
}

struct PipelineKind {
    std::string name;
    int weight = 1;  // how often it is drawn, beside the others
    // Adds one or a few stages that read those there are.
    std::function<void(test::PipelineMaker &)> make;
};

std::span<const PipelineKind *const> all_pipeline_kinds();

}  // namespace emulsion
