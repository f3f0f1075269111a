// A model of how fast lowered code is. One file of tuner/code_models/, which defines
//
//     const CodeModelKind &tuning_code_model_<filename>();
//
// found when CMake configures.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "fusion/code_features.h"

namespace emulsion {

// Of programs, in their order.
using CodeList = std::vector<const CodeFeatures *>;

// What was measured of one task.
struct CodeSamples {
    CodeList programs;
    std::vector<float> scores;  // as TaskSamples has them
};

class CodeModel {
public:
    CodeModel() = default;
    CodeModel(const CodeModel &) = delete;
    CodeModel &operator=(const CodeModel &) = delete;
    virtual ~CodeModel() = default;

    // Learns from these samples, all there are. Equal samples give equal models.
    virtual void fit(const std::vector<CodeSamples> &samples) = 0;
    virtual bool is_fitted() const = 0;
    // Of programs of one task, whichever: of two the faster one has the higher score.
    virtual std::vector<double> scores(const CodeList &programs) const = 0;

    // Text that load() of the same kind takes, in any process; the same for equal models. load() throws Error for other text, and for
    // features of another version.
    virtual std::string save() const = 0;
    virtual void load(const std::string &text) = 0;
};

struct CodeModelKind {
    std::string name;
    std::string description;  // one line
    std::function<std::unique_ptr<CodeModel>(uint64_t seed)> make;
};

// All of them, by file name (generated).
std::span<const CodeModelKind *const> all_code_models();
// Throws Error, listing the known ones, for an unknown name.
const CodeModelKind &find_code_model(const std::string &name);

}  // namespace emulsion
