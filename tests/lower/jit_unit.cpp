#include "tests/lower/jit_unit.h"

#include <map>

#include "frontend/lower/lower_unit.h"
#include "frontend/lower/plugin.h"
#include "frontend/lower/smaller_unit.h"

namespace emulsion::test {

namespace {

std::string runtime_error;

void note_error(Halide::JITUserContext *, const char *message) { runtime_error = message; }

GroupFuncs build(const Unit &unit) {
    std::vector<Layout> layouts;
    for (const UnitArgument &input : unit.inputs) {
        layouts.push_back(input.layout);
    }
    layouts.push_back(unit.output.layout);
    std::map<std::string, std::string> implementations;
    for (const PlannedMember &member : unit.plan.groups.at(0).members) {
        implementations[member.op] = member.implementation;
    }
    return build_group(unit.graph, layouts, implementations);
}

class Allocations : public Halide::Internal::IRVisitor {
public:
    std::map<std::string, int64_t> elements;

private:
    using IRVisitor::visit;
    void visit(const Halide::Internal::Allocate *op) override {
        using namespace Halide::Internal;
        int64_t count = 1;
        for (const Halide::Expr &extent : op->extents) {
            const auto most = as_const_int(simplify(find_constant_bound(extent, Direction::Upper)));
            count = most && count >= 0 ? count * *most : -1;
        }
        elements[op->name] = count;
        IRVisitor::visit(op);
    }
};

}  // namespace

// Through text, as worker processes get it.
JitUnit::JitUnit(const Unit &unit) {
    load_gao2025();
    schedule(unit_from_json(to_json(unit)));
}

void JitUnit::schedule(const Unit &unit) {
    unit_ = unit;
    target_ = unit_target(unit);
    group_ = build(unit);
    target_.set_feature(Halide::Target::ASAN, false);  // its runtime is not the JIT's
    target_.set_feature(Halide::Target::NoRuntime, false);
    target_.set_feature(Halide::Target::UserContext, false);
    pipeline_ = Halide::Pipeline(group_.outputs);
    apply_gao2025(pipeline_, target_, unit.plan);
    target_.set_feature(Halide::Target::JIT);
}

// What `work` returns, which compiles the unit: as it is planned, or with smaller loop nests.
template<typename Work>
auto JitUnit::compiled(const Work &work) {
    return with_nests_that_compile(unit_, [&](const Unit &unit) {
        if (unit.plan != unit_.plan) {
            schedule(unit);
        }
        return work();
    });
}

Halide::Module JitUnit::module() {
    return compiled([this] {
        std::vector<Halide::Argument> arguments;
        for (const Halide::Parameter &input : group_.inputs) {
            arguments.emplace_back(input.name(), Halide::Argument::InputBuffer, input.type(),
                                   input.dimensions(), Halide::ArgumentEstimates{});
        }
        return pipeline_.compile_to_module(arguments, "unit", target_);
    });
}

std::map<std::string, int64_t> JitUnit::allocations() {
    Allocations found;
    for (const auto &function : module().functions()) {
        function.body.accept(&found);
    }
    return found.elements;
}

Halide::Internal::Stmt JitUnit::lowered() { return module().get_conceptual_stmt(); }

std::string JitUnit::run(const std::vector<Halide::Buffer<>> &inputs, Halide::Buffer<> output) {
    compiled([&] {
        for (size_t i = 0; i < group_.inputs.size(); i++) {
            Halide::Buffer<> input = inputs.at(i);
            input.set_host_dirty(target_.has_gpu_feature());
            group_.inputs[i].set_buffer(input);
        }
        runtime_error.clear();
        pipeline_.jit_handlers().custom_error = note_error;
        pipeline_.realize(Halide::Pipeline::RealizationArg(output), target_);
    });
    output.copy_to_host();
    return runtime_error;
}

}  // namespace emulsion::test
