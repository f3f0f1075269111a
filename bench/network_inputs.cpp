#include "bench/network_inputs.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bench/json_file.h"
#include "bench/random_array.h"
#include "frontend/zoo/random.h"
#include "fusion/error.h"

namespace emulsion {

namespace {

// What the manifest says that the uses of an input allow.
ValueBounds bounds_in(const Json &input) {
    ValueBounds bounds;
    if (const auto found = input.find("values"); found != input.end()) {
        if (!found->at("low").is_null()) {
            bounds.low = found->at("low").get<int64_t>();
        }
        if (!found->at("high").is_null()) {
            bounds.high = found->at("high").get<int64_t>();
        }
    }
    return bounds;
}

std::vector<std::string> names_of(const std::vector<TensorInfo> &tensors) {
    std::vector<std::string> names;
    for (const TensorInfo &tensor : tensors) {
        names.push_back(tensor.name);
    }
    return names;
}

Array read_input(const std::string &file, const TensorInfo &input) {
    Array array = read_npy(file);
    if (array.type != input.type || array.shape != input.shape) {
        throw Error(fmt::format("input '{}': expected {}, given {}", input.name,
                                describe(input.type, input.shape),
                                describe(array.type, array.shape)),
                    {.file = file});
    }
    return array;
}

// The elements of `array` in a random order.
Array shuffled(Array array, uint64_t seed, const std::string &name) {
    const auto size = static_cast<size_t>(size_of(array.type));
    PortableRandom random(seed, name);
    std::byte *const data = array.bytes.data();
    for (size_t i = array.bytes.size() / size; i > 1; i--) {
        std::swap_ranges(data + (i - 1) * size, data + i * size, data + random.next() % i * size);
    }
    return array;
}

bool all_the_same(const Array &array) {
    const auto size = static_cast<size_t>(size_of(array.type));
    return array.bytes.size() < size || std::memcmp(array.bytes.data(), array.bytes.data() + size,
                                                    array.bytes.size() - size) == 0;
}

}  // namespace

NetworkInputs::NetworkInputs(const Artifact &artifact, const std::vector<std::string> &assignments,
                             uint64_t seed, Missing missing)
    : seed_(seed) {
    const std::vector<std::string> names = names_of(artifact.inputs());
    auto files = parse_assignments(assignments, names, "--input");
    const Json manifest = Json::parse(artifact.manifest());
    for (size_t i = 0; i < names.size(); i++) {
        Input input{.info = artifact.inputs()[i], .bounds = {}, .file = {}, .has_file = false};
        if (manifest.contains("inputs") && i < manifest.at("inputs").size()) {
            input.bounds = bounds_in(manifest.at("inputs").at(i));
        }
        if (const auto file = files.find(names[i]); file != files.end()) {
            input.file = read_input(file->second, input.info);
            input.has_file = true;
            files.erase(file);
        } else if (!assignments.empty() && missing == Missing::Refused) {
            throw Error(fmt::format("input '{}' has no --input: expected {}", names[i],
                                    describe(input.info.type, input.info.shape)));
        }
        inputs_.push_back(std::move(input));
    }
    if (!files.empty()) {
        throw Error(fmt::format("the network has no input '{}'; its inputs are '{}'",
                                files.begin()->first, fmt::join(names, "', '")));
    }
}

std::vector<Array> NetworkInputs::make(int run) const {
    std::vector<Array> arrays;
    for (const Input &input : inputs_) {
        arrays.push_back(make(input, seed_ + static_cast<uint64_t>(run), run == 0));
    }
    return arrays;
}

Array NetworkInputs::make(const Input &input, uint64_t seed, bool first) const {
    if (input.has_file && first) {
        return input.file;
    }
    if (input.has_file && !(is_float(input.info.type) && all_the_same(input.file))) {
        return shuffled(input.file, seed, input.info.name);
    }
    return random_array(input.info.type, input.info.shape, seed, input.info.name, input.bounds);
}

std::map<std::string, std::string> parse_assignments(const std::vector<std::string> &texts,
                                                     const std::vector<std::string> &names,
                                                     const std::string &flag) {
    std::map<std::string, std::string> files;
    for (const std::string &text : texts) {
        const size_t split = text.find('=');
        const bool named = split != std::string::npos;
        if (!named && names.size() != 1) {
            throw Error(fmt::format("{} expects NAME=FILE.npy, given '{}'; a FILE.npy alone is for "
                                    "networks with one input, and this one has {}",
                                    flag, text, names.size()));
        }
        if (named && (split == 0 || split + 1 == text.size())) {
            throw Error(fmt::format("{} expects NAME=FILE.npy, given '{}'", flag, text));
        }
        const std::string name = named ? text.substr(0, split) : names[0];
        const std::string file = named ? text.substr(split + 1) : text;
        if (!files.emplace(name, file).second) {
            throw Error(fmt::format("{} names '{}' twice", flag, name));
        }
    }
    return files;
}

}  // namespace emulsion
