#include "tests/pipelines/random_pipeline.h"

#include <numeric>

#include "tests/pipelines/pipeline_kind.h"
#include "tests/pipelines/pipeline_maker.h"

namespace emulsion::test {

namespace {

const PipelineKind &drawn_kind(Draw &draw) {
    int64_t all = 0;
    for (const PipelineKind *kind : all_pipeline_kinds()) {
        all += kind->weight;
    }
    int64_t left = draw.below(static_cast<size_t>(all));
    for (const PipelineKind *kind : all_pipeline_kinds()) {
        left -= kind->weight;
        if (left < 0) {
            return *kind;
        }
    }
    return *all_pipeline_kinds().front();
}

}  // namespace

int RandomPipeline::stages() const {
    return std::accumulate(kinds.begin(), kinds.end(), 0,
                           [](int sum, const auto &kind) { return sum + kind.second; });
}

RandomPipeline random_pipeline(uint64_t seed, const PipelineSize &size,
                               const PipelineNames &names) {
    PipelineMaker maker(seed, size, names);
    const int64_t stages = maker.draw.integer(size.fewest_stages, size.most_stages);
    for (int64_t i = 0; i < stages; i++) {
        const PipelineKind &kind = drawn_kind(maker.draw);
        kind.make(maker);
        maker.made().kinds[kind.name]++;
    }
    return maker.finish(static_cast<int>(maker.draw.integer(1, 3)));
}

}  // namespace emulsion::test
