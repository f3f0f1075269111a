#include "backend/names.h"

#include <filesystem>

namespace emulsion {

namespace {

constexpr size_t kMaxLength = 64;
constexpr std::string_view kPlaceholder = "NAME";

// Independent of the locale.
bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// Prefixes of functions inside of every artifact.
bool is_taken(std::string_view name) { return name == "emulsion" || name == "halide"; }

}  // namespace

std::string identifier(std::string_view text) {
    std::string result;
    for (char c : text.substr(0, kMaxLength)) {
        result += is_word(c) ? c : '_';
    }
    if (result.empty()) {
        return "model";
    }
    if (result[0] >= '0' && result[0] <= '9') {
        result = ("m" + result).substr(0, kMaxLength);
    }
    return is_taken(result) ? result + "_model" : result;
}

std::string artifact_name(const std::string &model_path) {
    return identifier(std::filesystem::path(model_path).stem().string());
}

std::string replace_name(std::string_view text, const std::string &name) {
    std::string result;
    size_t at = 0;
    for (;;) {
        const size_t found = text.find(kPlaceholder, at);
        if (found == std::string_view::npos) {
            return result.append(text.substr(at));
        }
        const size_t end = found + kPlaceholder.size();
        const bool starts =
            found == 0 || !is_word(text[found - 1]) || text.substr(0, found).ends_with("lib");
        const bool goes_on = end < text.size() && (text[end] == '_' || text[end] == '.');
        result.append(text.substr(at, found - at));
        result.append(starts && goes_on ? name : std::string(kPlaceholder));
        at = end;
    }
}

}  // namespace emulsion
