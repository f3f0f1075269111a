#include "fusion/error.h"

namespace emulsion {

namespace {

std::string sentence(const std::string &message, const std::string &remedy,
                     const ErrorPlace &place) {
    std::string text;
    if (!place.file.empty()) {
        text += place.file + ": ";
    }
    if (!place.node.empty() || place.node_index >= 0) {
        text += "node '" + place.node + "'";
        std::string details;
        if (place.node_index >= 0) {
            details = "#" + std::to_string(place.node_index);
        }
        if (!place.operator_type.empty()) {
            details += (details.empty() ? "" : ", ") + place.operator_type;
        }
        if (!details.empty()) {
            text += " (" + details + ")";
        }
        text += ": ";
    } else if (!place.operator_type.empty()) {
        text += place.operator_type + ": ";
    }
    return text + message + (remedy.empty() ? "" : "; " + remedy);
}

}  // namespace

Error::Error(const std::string &message, const std::string &remedy, ErrorPlace place,
             ErrorKind kind)
    : std::runtime_error(sentence(message, remedy, place)), message_(message), remedy_(remedy),
      place_(std::move(place)), kind_(kind) {}

Error::Error(const std::string &message, ErrorPlace place, ErrorKind kind)
    : Error(message, "", std::move(place), kind) {}

Error Error::with_place(const ErrorPlace &outer) const {
    ErrorPlace merged = place_;
    if (merged.file.empty()) {
        merged.file = outer.file;
    }
    if (merged.node.empty() && merged.node_index < 0) {
        merged.node = outer.node;
        merged.node_index = outer.node_index;
    }
    if (merged.operator_type.empty()) {
        merged.operator_type = outer.operator_type;
    }
    return Error(message_, remedy_, merged, kind_);
}

Error Error::with_remedy(const std::string &remedy) const {
    return Error(message_, remedy, place_, kind_);
}

Error failure(const std::string &message, ErrorPlace place) {
    return Error(message, std::move(place), ErrorKind::Failed);
}

}  // namespace emulsion
