#include "fusion/image/image_facts.h"

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

namespace emulsion {

namespace {

class ImageFacts : public PointFacts {
public:
    explicit ImageFacts(const ImageGraph &graph) {
        for (const ImageStage &stage : graph.stages) {
            for (size_t axis = 0; stage.is_output && axis < stage.extents.size(); axis++) {
                of_problem_.push_back({"extent" + std::to_string(of_problem_.size()),
                                       std::log2(1.0 + static_cast<double>(stage.extents[axis]))});
            }
        }
    }

    const std::vector<Fact> &of_problem() const override { return of_problem_; }
    const std::vector<std::string> &names() const override { return names_; }
    std::vector<double> of(const Nest & /*nest*/) const override { return {}; }

private:
    std::vector<Fact> of_problem_;
    const std::vector<std::string> names_;
};

}  // namespace

std::unique_ptr<PointFacts> image_facts(const ImageGraph &graph) {
    return std::make_unique<ImageFacts>(graph);
}

}  // namespace emulsion
