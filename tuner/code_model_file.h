// Trained models of code as files.
#pragma once

#include <memory>
#include <string>

#include "tuner/code_model.h"

namespace emulsion {

struct TrainedCodeModel {
    std::string kind;  // CodeModelKind::name
    std::shared_ptr<const CodeModel> model;
};

// As a document (schema emulsion-code-model), with the versions of the features that it has learned; and back, where `file` is what messages
// call the text. Throws Error for what to_text would not have written, and for features of another version.
std::string to_text(const std::string &kind, const CodeModel &model,
                    const CodeFeatureVersions &versions);
TrainedCodeModel code_model_from(const std::string &text, const std::string &file,
                                 const CodeFeatureVersions &versions);

}  // namespace emulsion
