#include "autoscheduler/templates/support/tiles_space.h"

#include <algorithm>
#include <set>

#include "autoscheduler/definitions.h"
#include "autoscheduler/regions.h"
#include "autoscheduler/templates/support/own_sums.h"
#include "autoscheduler/templates/support/parameters.h"
#include "autoscheduler/templates/support/parted_sum.h"
#include "autoscheduler/templates/support/register_sums.h"
#include "autoscheduler/templates/support/turned.h"
#include "fusion/image/unrolled_code.h"

namespace emulsion {

namespace {

using Halide::Func;

using Rule = NestConstraint::Rule;

// Of a tile along one axis: far more than images have, and so few that counting tiles does not overflow.
constexpr int64_t kMostElements = int64_t{1} << 28;
constexpr int kMostVectors = 16, kWidestVector = 256;
// An axis is unrolled up to this length.
constexpr int64_t kMostUnrolled = 16;

// The Funcs that a definition needs, those that others compute for it included.
std::set<std::string> needed_by(const FuncDefinition &definition, const std::string &self) {
    class Calls : public Halide::Internal::IRVisitor {
    public:
        std::set<std::string> names;
        std::vector<Halide::Internal::Function> functions;

    private:
        using IRVisitor::visit;
        void visit(const Halide::Internal::Call *op) override {
            if (op->call_type == Halide::Internal::Call::Halide && names.insert(op->name).second) {
                functions.emplace_back(op->func);
            }
            IRVisitor::visit(op);
        }
    } calls;
    for (const Halide::Expr &e : definition.expressions) {
        e.accept(&calls);
    }
    std::set<std::string> needed = calls.names;
    for (const auto &function : calls.functions) {
        if (function.name() != self) {
            for (const auto &[name, callee] : Halide::Internal::find_transitive_calls(function)) {
                needed.insert(name);
            }
        }
    }
    return needed;
}

// The definition of the root that the other stages are computed in: the one that reads them.
NestParameter host_parameter(const NestFuncs &funcs,
                             const std::vector<FuncDefinition> &definitions) {
    NestParameter host =
        count_parameter("host", "definition", 0, std::max<int64_t>(0, std::ssize(definitions) - 1));
    for (int64_t d = 0; d < std::ssize(definitions); d++) {
        const auto needed = needed_by(definitions[static_cast<size_t>(d)], funcs.root.name());
        if (std::any_of(funcs.stages.begin(), funcs.stages.end(),
                        [&](const Func &stage) { return needed.count(stage.name()) != 0; })) {
            host.domain = {d, d};
            host.preferred = d;
        }
    }
    return host;
}

// A rule that no nest with that value keeps.
NestConstraint never(const std::string &parameter, int64_t value, const std::string &refusal) {
    return {Rule::ProductAtMost, {}, 0, refusal, std::pair{parameter, value}};
}

bool can_unroll(const NestFuncs &funcs, int axis) {
    if (axis <= 0) {
        return false;
    }
    if (always_has_few_elements(funcs, axis)) {
        return true;
    }
    if (funcs.root.has_update_definition()) {
        return false;
    }
    if (!funcs.is_output) {
        const int64_t channels = funcs.extent_with_channels ? funcs.extent_with_channels(axis) : -1;
        return channels > 0 && channels <= kMostUnrolled;
    }
    const auto estimate = estimated_axis(funcs.root, axis);
    return estimate && estimate->extent <= kMostUnrolled;
}

// Rows of pure stages are kept while the loops of a pure definition walk along an axis of tiles that is not that of the
// vectors.
void add_rules_of_rows(const NestFuncs &funcs, NestSpace &space) {
    const bool updates =
        funcs.root.has_update_definition() ||
        std::any_of(funcs.stages.begin(), funcs.stages.end(),
                    [](const Func &stage) { return stage.has_update_definition(); });
    for (int axis = 0; axis < funcs.root.dimensions(); axis++) {
        if (axis == 0 || updates) {
            space.constraints.push_back(
                never("slide_axis", axis,
                      "can't keep rows along axis " + std::to_string(axis) +
                          ": it has the vectors, or an update computes rows"));
        } else {
            space.constraints.push_back(
                {Rule::ProductAtLeast,
                 {block_name(axis)},
                 1,
                 "keeps rows along axis " + std::to_string(axis) + ", which no block cuts",
                 std::pair{"slide_axis", axis}});
        }
    }
}

void add_rules_of_unrolling(const NestFuncs &funcs, NestSpace &space) {
    for (int axis = 0; axis < funcs.root.dimensions(); axis++) {
        if (!can_unroll(funcs, axis)) {
            space.constraints.push_back(
                never("unroll_axis", axis,
                      "can't unroll axis " + std::to_string(axis) +
                          ": it has the vectors, or not always the same few elements"));
        }
    }
    space.constraints.push_back(
        {Rule::Distinct, {"unroll_axis", "slide_axis"}, 0, "unrolls the axis of its rows"});
}

}  // namespace

std::string block_name(int axis) { return "block" + std::to_string(axis); }

bool always_has_few_elements(const NestFuncs &funcs, int axis) {
    const int64_t extent = funcs.fixed_extent ? funcs.fixed_extent(axis) : -1;
    return extent > 0 && extent <= kMostUnrolled;
}

NestSpace bounds_of_tiles(const NestFuncs &funcs) {
    const int rank = funcs.root.dimensions();
    const std::vector<FuncDefinition> definitions = definitions_of(funcs.root.function());
    NestSpace space;
    space.parameters = {count_parameter("vector", "elements", 1, kWidestVector),
                        count_parameter("vectors", "vectors", 1, kMostVectors),
                        optional_axis_parameter("unroll_axis", rank),
                        optional_axis_parameter("slide_axis", rank),
                        flag_parameter("transposes"),
                        host_parameter(funcs, definitions),
                        flag_parameter("sweep")};
    for (int axis = 0; axis < rank; axis++) {
        space.parameters.push_back(count_parameter(block_name(axis), "elements", 0, kMostElements));
    }
    space.find("vector")->domain.powers_of_two = true;
    space.constraints = {
        {Rule::ProductAtMost,
         {"vector", "vectors"},
         kMostSideBySide,
         "computes more than " + std::to_string(kMostSideBySide) + " elements side by side"},
        {Rule::ProductAtMost,
         {"vector", "vector", "vectors"},
         kMostTransposed,
         "transposes more than " + std::to_string(kMostTransposed) + " elements side by side",
         std::pair{"transposes", 1}}};
    add_rules_of_rows(funcs, space);
    add_rules_of_unrolling(funcs, space);
    add_sum_parts(funcs, space);
    add_own_sums(funcs, space);
    add_vector_axis(funcs, space);
    add_register_rows(funcs, space);
    // Whether there are such steps takes a walk over all that the root is computed from: specialising asks.
    space.parameters.push_back(count_parameter("unit_steps", "", 0, funcs.is_panel ? 0 : 1));
    space.parameters.back().is_optional = true;
    for (size_t d = 0; d < definitions.size(); d++) {
        if (definitions[d].reduced.empty()) {
            space.constraints.push_back({Rule::ProductAtMost,
                                         {"sweep"},
                                         0,
                                         "computes others in loops that a definition lacks",
                                         std::pair{"host", static_cast<int64_t>(d)}});
        }
    }
    return space;
}

}  // namespace emulsion
