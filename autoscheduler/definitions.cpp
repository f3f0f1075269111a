#include "autoscheduler/definitions.h"

namespace emulsion {

namespace {

using namespace Halide::Internal;
using Halide::Expr;

// Halide computes what an evaluated branch reads, so that a condition bounds what is read under it.
class SelectsAsBranches : public IRMutator {
    using IRMutator::visit;

    Expr visit(const Select *op) override {
        if (!is_pure(op->condition)) {
            return IRMutator::visit(op);
        }
        return Call::make(op->type, Call::if_then_else,
                          {mutate(op->condition), mutate(op->true_value), mutate(op->false_value)},
                          Call::PureIntrinsic);
    }
};

void add(const Definition &definition, bool is_update, FuncDefinition &result) {
    const std::vector<Expr> conditions = definition.split_predicate();
    const auto add_expression = [&](const Expr &e) {
        result.expressions.push_back(e);
        Expr guarded = e;
        for (const Expr &condition : conditions) {
            guarded = Call::make(guarded.type(), Call::if_then_else,
                                 {Halide::likely(condition), guarded}, Call::PureIntrinsic);
        }
        result.guarded.push_back(SelectsAsBranches().mutate(guarded));
    };
    for (const Expr &value : definition.values()) {
        add_expression(value);
    }
    if (is_update) {
        for (const Expr &arg : definition.args()) {
            add_expression(arg);
        }
    }
    result.expressions.insert(result.expressions.end(), conditions.begin(), conditions.end());
    for (const Specialization &special : definition.specializations()) {
        if (special.failure_message.empty()) {
            add(special.definition, is_update, result);
        }
    }
}

FuncDefinition definition_of(const Definition &definition, bool is_update) {
    FuncDefinition result;
    if (is_update) {
        result.args = definition.args();
        result.reduced = definition.schedule().rvars();
    }
    add(definition, is_update, result);
    return result;
}

}  // namespace

std::vector<FuncDefinition> definitions_of(const Function &f) {
    std::vector<FuncDefinition> definitions;
    if (f.has_extern_definition()) {
        return definitions;
    }
    definitions.push_back(definition_of(f.definition(), false));
    for (const Definition &update : f.updates()) {
        definitions.push_back(definition_of(update, true));
    }
    return definitions;
}

std::set<std::string> funcs_read_by(const Expr &e) {
    class Finder : public IRGraphVisitor {
    public:
        std::set<std::string> names;

    private:
        using IRGraphVisitor::visit;
        void visit(const Call *op) override {
            if (op->call_type == Call::Halide) {
                names.insert(op->name);
            }
            IRGraphVisitor::visit(op);
        }
    } finder;
    e.accept(&finder);
    return std::move(finder.names);
}

}  // namespace emulsion
