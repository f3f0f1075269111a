// What a session learns of lowered code: its measurements, and a model of them that is fitted anew as there are more.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "tuner/code_model.h"
#include "tuner/outcome.h"

namespace emulsion {

class CodeLearner {
public:
    // `trained`: a model that learns nothing more, and is asked in place of one of the kind; null: none.
    CodeLearner(const CodeModelKind &kind, uint64_t seed,
                std::shared_ptr<const CodeModel> trained = nullptr);

    // What was measured of points of a task, by its number, and their code: points without any say nothing.
    void observe(size_t task, const std::vector<Result> &results,
                 const std::vector<CodeFeatures> &code);
    // Whether scores() says anything, or will as soon as there is enough to learn from.
    bool knows_anything() const { return trained_ || !samples_.empty(); }
    // Of points of one task, by their code, as CodeModel has them; those without any come last. Nothing before there is enough to learn from.
    std::vector<double> scores(const std::vector<CodeFeatures> &code);

private:
    struct Sample {
        size_t task = 0;
        double ratio = 0.0;  // 0: it failed
        CodeFeatures code;
    };

    void refit();

    std::unique_ptr<CodeModel> model_;
    std::shared_ptr<const CodeModel> trained_;
    std::vector<Sample> samples_;
    std::vector<double> best_ratio_;  // by task
    size_t fitted_samples_ = 0;
};

}  // namespace emulsion
