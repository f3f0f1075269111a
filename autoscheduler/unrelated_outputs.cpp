#include "autoscheduler/unrelated_outputs.h"

#include <algorithm>
#include <set>
#include <string>

#include "autoscheduler/func_order.h"

namespace emulsion {

namespace {

using namespace Halide::Internal;
using Halide::Func;

// What Halide makes of an input: one read of it at the same place.
bool is_read_of_input(const Function &f) {
    if (f.has_extern_definition() || f.has_update_definition() || f.outputs() != 1) {
        return false;
    }
    const Call *call = f.values().front().as<Call>();
    if (call == nullptr || call->call_type != Call::Image) {
        return false;
    }
    for (size_t i = 0; i < call->args.size(); i++) {
        const Variable *v = call->args[i].as<Variable>();
        if (v == nullptr || i >= f.args().size() || v->name != f.args()[i]) {
            return false;
        }
    }
    return true;
}

std::set<std::string> funcs_of(const Func &output) {
    std::set<std::string> names{output.name()};
    for (const auto &[name, function] : find_transitive_calls(output.function())) {
        if (!is_read_of_input(function)) {
            names.insert(name);
        }
    }
    return names;
}

struct Part {
    std::vector<size_t> outputs;
    std::set<std::string> funcs;
};

bool meet(const std::set<std::string> &a, const std::set<std::string> &b) {
    return std::any_of(a.begin(), a.end(),
                       [&](const std::string &name) { return b.count(name) != 0; });
}

}  // namespace

std::vector<std::vector<Func>> unrelated_outputs(const std::vector<Func> &outputs) {
    std::vector<Part> parts;
    for (size_t i = 0; i < outputs.size(); i++) {
        Part with{{i}, funcs_of(outputs[i])};
        std::erase_if(parts, [&](const Part &part) {
            if (!meet(part.funcs, with.funcs)) {
                return false;
            }
            with.outputs.insert(with.outputs.end(), part.outputs.begin(), part.outputs.end());
            with.funcs.insert(part.funcs.begin(), part.funcs.end());
            return true;
        });
        std::sort(with.outputs.begin(), with.outputs.end());
        parts.push_back(std::move(with));
    }
    std::sort(parts.begin(), parts.end(),
              [](const Part &a, const Part &b) { return a.outputs < b.outputs; });
    std::vector<std::vector<Func>> result;
    for (const Part &part : parts) {
        result.emplace_back();
        for (const size_t i : part.outputs) {
            result.back().push_back(outputs[i]);
        }
    }
    return result;
}

}  // namespace emulsion
