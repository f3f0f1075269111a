#include "backend/amdgpu/metadata.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "fusion/error.h"

namespace emulsion {

namespace {

using nlohmann::json;

[[noreturn]] void fail(const std::string &what) {
    throw failure(fmt::format("the metadata of a code object {}", what));
}

// The parser calls itself for each level, so that bytes could make it overflow the stack: looks whether
// they are MessagePack of a depth that metadata has.
class Depth : public nlohmann::json_sax<json> {
public:
    bool null() override { return true; }
    bool boolean(bool) override { return true; }
    bool number_integer(number_integer_t) override { return true; }
    bool number_unsigned(number_unsigned_t) override { return true; }
    bool number_float(number_float_t, const string_t &) override { return true; }
    bool string(string_t &) override { return true; }
    bool binary(binary_t &) override { return true; }
    bool key(string_t &) override { return true; }
    bool start_object(std::size_t) override { return ++depth_ < kMostDepth; }
    bool end_object() override { return --depth_ >= 0; }
    bool start_array(std::size_t) override { return ++depth_ < kMostDepth; }
    bool end_array() override { return --depth_ >= 0; }
    bool parse_error(std::size_t, const std::string &, const json::exception &) override {
        return false;
    }

private:
    static constexpr int kMostDepth = 16;
    int depth_ = 0;
};

int64_t number(const json &object, const char *key, int64_t otherwise) {
    const auto it = object.find(key);
    if (it == object.end()) {
        return otherwise;
    }
    if (!it->is_number_integer()) {
        fail(fmt::format("has no number as '{}'", key));
    }
    const auto value = it->get<int64_t>();
    if (value < 0 || value > int64_t{1} << 40) {
        fail(fmt::format("has {} as '{}'", value, key));
    }
    return value;
}

int64_t number(const json &object, const char *key) {
    if (!object.contains(key)) {
        fail(fmt::format("lacks '{}'", key));
    }
    return number(object, key, 0);
}

std::string text(const json &object, const char *key, bool needed) {
    const auto it = object.find(key);
    if (it == object.end() && !needed) {
        return {};
    }
    if (it == object.end() || !it->is_string()) {
        fail(fmt::format("has no text as '{}'", key));
    }
    return it->get<std::string>();
}

// The elements of the list `key`, each a map; none where the list isn't there.
std::vector<json> maps(const json &object, const char *key) {
    const auto it = object.find(key);
    if (it == object.end()) {
        return {};
    }
    if (!it->is_array()) {
        fail(fmt::format("has no list as '{}'", key));
    }
    std::vector<json> result(it->begin(), it->end());
    for (const json &element : result) {
        if (!element.is_object()) {
            fail(fmt::format("has something in '{}' that is no map", key));
        }
    }
    return result;
}

KernelCode read_kernel(const json &object) {
    KernelCode kernel;
    kernel.name = text(object, ".name", true);
    kernel.vgprs = number(object, ".vgpr_count");
    kernel.agprs = number(object, ".agpr_count", 0);
    kernel.sgprs = number(object, ".sgpr_count");
    kernel.vgpr_spills = number(object, ".vgpr_spill_count", 0);
    kernel.sgpr_spills = number(object, ".sgpr_spill_count", 0);
    kernel.private_bytes = number(object, ".private_segment_fixed_size");
    kernel.lds_bytes = number(object, ".group_segment_fixed_size");
    kernel.kernarg_bytes = number(object, ".kernarg_segment_size");
    kernel.most_threads = number(object, ".max_flat_workgroup_size");
    kernel.wavefront = number(object, ".wavefront_size");
    const auto stack = object.find(".uses_dynamic_stack");
    kernel.dynamic_stack = stack != object.end() && *stack == true;
    for (const json &argument : maps(object, ".args")) {
        kernel.arguments.push_back({number(argument, ".offset"), number(argument, ".size"),
                                    text(argument, ".value_kind", true),
                                    text(argument, ".type_name", false)});
    }
    const auto workgroup = object.find(".reqd_workgroup_size");
    if (workgroup != object.end()) {
        if (!workgroup->is_array() || workgroup->size() != 3) {
            fail("has no list of three as '.reqd_workgroup_size'");
        }
        for (size_t i = 0; i < 3; i++) {
            const json element{{"threads", (*workgroup)[i]}};
            kernel.workgroup[i] = number(element, "threads");
        }
    }
    return kernel;
}

}  // namespace

void read_metadata(std::string_view bytes, CodeObject *object) {
    Depth depth;
    if (!json::sax_parse(bytes.begin(), bytes.end(), &depth, json::input_format_t::msgpack)) {
        fail("isn't MessagePack");
    }
    const json root = json::from_msgpack(bytes.begin(), bytes.end(), true, false);
    if (!root.is_object()) {
        fail("is no map");
    }
    object->target = text(root, "amdhsa.target", true);
    for (const json &kernel : maps(root, "amdhsa.kernels")) {
        object->kernels.push_back(read_kernel(kernel));
    }
}

}  // namespace emulsion
