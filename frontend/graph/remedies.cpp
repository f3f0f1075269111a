#include "frontend/graph/remedies.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace emulsion {

namespace {

constexpr std::string_view kOutside =
    "end the model before it (onnx.utils.extract_model) and do this step outside, or write it with the "
    "operators of docs/operators.md";
constexpr std::string_view kUnquantised = "compile the model as it was before it was quantised";
constexpr std::string_view kUnrolled =
    "export the model with its steps unrolled, or with operators of docs/operators.md in their place";
constexpr std::string_view kTensorsOnly =
    "export the model so that its values are tensors, without sequences, optionals and maps";
constexpr std::string_view kGivenNumbers =
    "draw the random numbers outside and make them an input of the model";

struct Family {
    std::string_view begin, end;  // of the operator's type
    std::string_view remedy;
};

constexpr std::array kFamilies = {
    Family{"QLinear", "", kUnquantised},    Family{"Dequantize", "", kUnquantised},
    Family{"Quantize", "", kUnquantised},   Family{"DynamicQuantize", "", kUnquantised},
    Family{"", "Integer", kUnquantised},    Family{"Loop", "", kUnrolled},
    Family{"Scan", "", kUnrolled},          Family{"LSTM", "", kUnrolled},
    Family{"GRU", "", kUnrolled},           Family{"RNN", "", kUnrolled},
    Family{"Sequence", "", kTensorsOnly},   Family{"", "Sequence", kTensorsOnly},
    Family{"Optional", "", kTensorsOnly},   Family{"Random", "", kGivenNumbers},
    Family{"Bernoulli", "", kGivenNumbers}, Family{"Multinomial", "", kGivenNumbers},
};

}  // namespace

Error unsupported_operator(const std::string &domain, const std::string &type,
                           const ErrorPlace &place) {
    const auto *const family =
        std::find_if(kFamilies.begin(), kFamilies.end(), [&](const Family &candidate) {
            return type.starts_with(candidate.begin) && type.ends_with(candidate.end);
        });
    return Error("operator '" + (domain.empty() ? "" : domain + ".") + type + "' is not supported",
                 place)
        .with_remedy(std::string(family == kFamilies.end() ? kOutside : family->remedy));
}

std::string remedy_for_form(const std::string &type) {
    if (type.empty()) {
        return "export the model in a form that docs/limits.md allows";
    }
    return "export or rewrite the node in a form that is accepted, or leave it out; docs/operators.md "
           "lists the operators";
}

}  // namespace emulsion
