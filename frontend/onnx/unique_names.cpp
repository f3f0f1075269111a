#include "frontend/onnx/unique_names.h"

#include <onnx/onnx_pb.h>

#include <cstdint>

namespace emulsion {

namespace {

constexpr size_t kLongestPrefix = 500;

bool continues_character(char byte) { return (static_cast<uint8_t>(byte) & 0xC0U) == 0x80U; }

}  // namespace

UniqueNames::UniqueNames(const onnx::GraphProto &graph) {
    for (const onnx::ValueInfoProto &input : graph.input()) {
        uses_.emplace(input.name(), 0);
    }
    for (const onnx::NodeProto &node : graph.node()) {
        for (const std::string &name : node.output()) {
            uses_.emplace(name, 0);
        }
    }
}

std::string UniqueNames::make(const std::string &name) {
    std::string candidate = name;
    while (!uses_.emplace(candidate, 0).second) {
        candidate = name + "_" + std::to_string(++uses_[name]);
    }
    return candidate;
}

std::string name_prefix(const std::string &name) {
    if (name.size() <= kLongestPrefix) {
        return name + "/";
    }
    size_t begin = name.size() - kLongestPrefix;
    while (begin < name.size() && continues_character(name[begin])) {
        ++begin;
    }
    return "..." + name.substr(begin) + "/";
}

}  // namespace emulsion
