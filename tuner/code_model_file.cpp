#include "tuner/code_model_file.h"

#include <nlohmann/json.hpp>

#include "fusion/error.h"
#include "fusion/json_document.h"

namespace emulsion {

namespace {

constexpr const char *kCodeModelSchema = "emulsion-code-model";

}  // namespace

std::string to_text(const std::string &kind, const CodeModel &model,
                    const CodeFeatureVersions &versions) {
    return json_document(kCodeModelSchema, {{"kind", kind},
                                            {"statements", versions.statements},
                                            {"nodes", versions.nodes},
                                            {"model", model.save()}});
}

TrainedCodeModel code_model_from(const std::string &text, const std::string &file,
                                 const CodeFeatureVersions &versions) {
    const nlohmann::ordered_json json = read_json_document(kCodeModelSchema, text, file);
    try {
        if (json.at("statements") != versions.statements || json.at("nodes") != versions.nodes) {
            throw Error(
                "it has learned features of another version than this program's; train it anew");
        }
        const auto kind = json.at("kind").get<std::string>();
        std::shared_ptr<CodeModel> model = find_code_model(kind).make(1);
        model->load(json.at("model").get<std::string>());
        return {kind, std::move(model)};
    } catch (const nlohmann::json::exception &error) {
        throw Error(std::string("it is no model of code: ") + error.what(), {.file = file});
    } catch (const Error &error) {
        throw Error(error.message(), {.file = file});
    }
}

}  // namespace emulsion
