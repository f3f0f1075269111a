#include "autoscheduler/func_facts.h"

#include <algorithm>
#include <map>

#include "autoscheduler/let_visitor.h"
#include "autoscheduler/operation_count.h"
#include "autoscheduler/partial_sums.h"

namespace emulsion {

namespace {

using namespace Halide::Internal;
using Halide::Expr;

// Collects the tensor reads of an expression. Halide names subexpressions that occur twice (lets);
// indices are taken with these names replaced.
class AccessCollector : public LetVisitor {
public:
    AccessCollector(bool in_update, FuncFacts &facts) : in_update_(in_update), facts_(facts) {}

private:
    using LetVisitor::visit;

    void visit(const Call *call) override {
        LetVisitor::visit(call);
        const bool tensor = call->call_type == Call::Halide || call->call_type == Call::Image;
        if (tensor && call->name != facts_.name) {
            facts_.accesses.push_back({call->name, {}, in_update_, element_type_of(call->type)});
            for (const Expr &arg : call->args) {
                facts_.accesses.back().args.push_back(without_lets(arg));
            }
        } else if (call->is_intrinsic(Call::mux)) {
            add_selector(without_lets(call->args.front()));
        }
    }

    void add_selector(const Expr &selector) {
        std::vector<Expr> &known = facts_.selectors;
        if (std::none_of(known.begin(), known.end(),
                         [&](const Expr &e) { return equal(e, selector); })) {
            known.push_back(selector);
        }
    }

    bool in_update_;
    FuncFacts &facts_;
};

class ChoiceRemover : public IRMutator {
private:
    using IRMutator::visit;

    Expr visit(const Call *call) override {
        const bool chooses =
            call->is_intrinsic(Call::mux) && std::all_of(call->args.begin() + 1, call->args.end(),
                                                         [](const Expr &e) { return is_const(e); });
        return chooses ? make_zero(call->type) : IRMutator::visit(call);
    }
};

// Finds reads of Func `self` at other coordinates than `written`.
class ScanFinder : public LetVisitor {
public:
    ScanFinder(const std::string &self, const std::vector<Expr> &written)
        : self_(self), written_(written) {}

    bool found = false;

private:
    using LetVisitor::visit;

    void visit(const Call *call) override {
        LetVisitor::visit(call);
        if (call->name == self_) {
            found = found || !std::equal(written_.begin(), written_.end(), call->args.begin(),
                                         call->args.end(), [&](const Expr &a, const Expr &b) {
                                             return equal(a, without_lets(b));
                                         });
        }
    }

    const std::string &self_;
    const std::vector<Expr> &written_;
};

// The same with nothing named.
class OtherReadFinder : public LetVisitor {
public:
    explicit OtherReadFinder(const FuncFacts &facts) : facts_(facts) {}

    bool found = false;

private:
    using LetVisitor::visit;

    void visit(const Call *call) override {
        LetVisitor::visit(call);
        found =
            found || (call->name == facts_.name &&
                      !std::equal(facts_.written.begin(), facts_.written.end(), call->args.begin(),
                                  call->args.end(), [&](const Expr &a, const Expr &b) {
                                      return equal(a, substitute_in_all_lets(without_lets(b)));
                                  }));
    }

    const FuncFacts &facts_;
};

// What of a Func's first update tells whether its steps may be cut into tiles.
void describe_update(const Function &function, FuncFacts &facts) {
    const Definition &update = function.update(0);
    for (const Expr &arg : update.args()) {
        facts.written.push_back(substitute_in_all_lets(arg));
    }
    OtherReadFinder finder(facts);
    for (const Expr &value : update.values()) {
        value.accept(&finder);
    }
    facts.reads_others = finder.found;
    facts.adds_up = facts.args.empty() && adds_up_in_parts(function);
}

// Variables of an expression, and which of them occur outside of divisions.
class VariableCollector : public IRVisitor {
public:
    std::set<std::string> all, undivided;

private:
    using IRVisitor::visit;

    void visit(const Variable *v) override {
        all.insert(v->name);
        if (depth_ == 0) {
            undivided.insert(v->name);
        }
    }
    void visit(const Div *op) override { divided(op); }
    void visit(const Mod *op) override { divided(op); }

    template<typename T>
    void divided(const T *op) {
        depth_++;
        IRVisitor::visit(op);
        depth_--;
    }

    int depth_ = 0;
};

VariableCollector variables_of(const Expr &e) {
    VariableCollector collector;
    e.accept(&collector);
    return collector;
}

// Replaces calls of one pure Func by its definition. (Halide's own inline_function wants a schedule
// that is final; this one is only being made.)
class Inliner : public IRMutator {
public:
    explicit Inliner(const Function &function) : function_(function) {}

private:
    using IRMutator::visit;

    Expr visit(const Call *call) override {
        Expr mutated = IRMutator::visit(call);
        if (call->call_type != Call::Halide || call->name != function_.name()) {
            return mutated;
        }
        std::map<std::string, Expr> at;
        for (size_t i = 0; i < call->args.size(); i++) {
            at[function_.args()[i]] = mutated.as<Call>()->args[i];
        }
        return substitute(at, function_.values()[static_cast<size_t>(call->value_index)]);
    }

    const Function &function_;
};

int axis_of(const FuncFacts &facts, const std::string &variable) {
    const auto it = std::find(facts.args.begin(), facts.args.end(), variable);
    return it == facts.args.end() ? -1 : static_cast<int>(it - facts.args.begin());
}

// A reduction variable that shares an index with a pure variable walks a window.
void mark_windows(FuncFacts &facts) {
    for (const TensorAccess &access : facts.accesses) {
        if (!access.in_update) {
            continue;
        }
        for (const Expr &index : access.args) {
            const VariableCollector vars = variables_of(index);
            std::set<int> axes;
            for (const std::string &v : vars.undivided) {
                axes.insert(axis_of(facts, v));
            }
            axes.erase(-1);
            for (ReductionLoop &loop : facts.reduction) {
                if (!axes.empty() && vars.all.count(loop.name) != 0) {
                    loop.window = true;
                    facts.window_axes.insert(axes.begin(), axes.end());
                }
            }
        }
    }
}

}  // namespace

bool is_scan(const std::string &name, const Definition &update) {
    ScanFinder finder(name, update.args());
    for (const Expr &value : update.values()) {
        value.accept(&finder);
    }
    return finder.found;
}

std::vector<std::string> FuncFacts::callees() const {
    std::vector<std::string> names;
    for (const TensorAccess &access : accesses) {
        if (std::find(names.begin(), names.end(), access.callee) == names.end()) {
            names.push_back(access.callee);
        }
    }
    return names;
}

std::vector<std::string> FuncFacts::summed() const {
    std::vector<std::string> names;
    for (const TensorAccess &access : accesses) {
        if (access.in_update &&
            std::find(names.begin(), names.end(), access.callee) == names.end()) {
            names.push_back(access.callee);
        }
    }
    return names;
}

std::set<int> FuncFacts::axes_read(const std::string &callee) const {
    std::set<int> axes;
    for (const TensorAccess &access : accesses) {
        if (access.callee != callee || access.in_update != is_reduction()) {
            continue;
        }
        for (const Expr &index : access.args) {
            for (const std::string &v : variables_of(index).all) {
                axes.insert(axis_of(*this, v));
            }
        }
    }
    axes.erase(-1);
    return axes;
}

std::set<int> FuncFacts::axes_divided(const std::string &callee) const {
    std::set<int> axes = axes_read(callee);
    for (const TensorAccess &access : accesses) {
        if (access.callee != callee || access.in_update != is_reduction()) {
            continue;
        }
        for (const Expr &index : access.args) {
            for (const std::string &v : variables_of(index).undivided) {
                axes.erase(axis_of(*this, v));
            }
        }
    }
    return axes;
}

bool FuncFacts::reads_window(const std::string &callee) const {
    for (const TensorAccess &access : accesses) {
        if (access.callee != callee || !access.in_update) {
            continue;
        }
        for (const Expr &index : access.args) {
            const VariableCollector vars = variables_of(index);
            const bool tap = std::any_of(reduction.begin(), reduction.end(), [&](const auto &loop) {
                return vars.all.count(loop.name) != 0;
            });
            const bool pure =
                std::any_of(vars.undivided.begin(), vars.undivided.end(),
                            [&](const std::string &v) { return axis_of(*this, v) >= 0; });
            if (tap && pure) {
                return true;
            }
        }
    }
    return false;
}

Expr without_choices(const Expr &e) { return ChoiceRemover().mutate(e); }

bool is_wrapper(const Function &function) {
    if (function.has_update_definition() || function.has_extern_definition() ||
        function.values().size() != 1) {
        return false;
    }
    Expr value = function.values().front();
    // A boundary condition: select(outside, constant, call), possibly with the arms exchanged.
    for (;;) {
        const Call *call = value.as<Call>();
        const auto *select = value.as<Select>();
        if (call != nullptr && call->is_intrinsic() && call->args.size() == 1) {
            value = call->args[0];  // likely() and its like
        } else if (select != nullptr && is_const(select->true_value)) {
            value = select->false_value;
        } else if (select != nullptr && is_const(select->false_value)) {
            value = select->true_value;
        } else {
            return call != nullptr &&
                   (call->call_type == Call::Halide || call->call_type == Call::Image);
        }
    }
}

Expr inline_wrappers(const Expr &e, const std::vector<Function> &wrappers) {
    Expr result = e;
    for (auto it = wrappers.rbegin(); it != wrappers.rend(); ++it) {
        result = Inliner(*it).mutate(result);
    }
    return result;
}

ElementType element_type_of(const Halide::Type &type) {
    const ElementKind kind = type.is_float() || type.is_bfloat() ? ElementKind::Float
                             : type.is_int()                     ? ElementKind::Int
                                                                 : ElementKind::UInt;
    return {kind, type.bits()};
}

FuncFacts func_facts(const Function &function, const std::vector<Function> &wrappers) {
    FuncFacts facts;
    facts.name = function.name();
    facts.args = function.args();
    facts.updates = static_cast<int>(function.updates().size());
    facts.type = element_type_of(function.output_types().front());
    AccessCollector initial(false, facts);
    for (const Expr &value : function.values()) {
        inline_wrappers(value, wrappers).accept(&initial);
    }
    if (facts.updates == 0 && function.values().size() == 1) {
        const auto *call = inline_wrappers(function.values().front(), wrappers).as<Call>();
        facts.copies = call != nullptr && facts.accesses.size() == 1 &&
                       facts.accesses.front().callee == call->name;
    }
    for (const Expr &value : function.values()) {
        facts.operations += count_operations(value);
    }
    AccessCollector update(true, facts);
    if (facts.updates > 0) {
        describe_update(function, facts);
    }
    for (const Definition &definition : function.updates()) {
        for (const Expr &value : definition.values()) {
            facts.update_operations += count_operations(value);
        }
        for (const Expr &value : definition.values()) {
            inline_wrappers(value, wrappers).accept(&update);
        }
        facts.scans = facts.scans || is_scan(facts.name, definition);
        for (size_t i = 0; i < definition.args().size(); i++) {
            const Expr &arg = definition.args()[i];
            inline_wrappers(arg, wrappers).accept(&update);
            const auto *v = arg.as<Variable>();
            facts.plain_update = facts.plain_update && v != nullptr && v->name == facts.args[i];
        }
        for (const Expr &condition : definition.split_predicate()) {
            inline_wrappers(condition, wrappers).accept(&update);
            if (!is_const_one(condition)) {
                facts.conditions.push_back(condition);
            }
        }
        for (const ReductionVariable &v : definition.schedule().rvars()) {
            const auto extent = as_const_int(v.extent);
            facts.reduction.push_back({v.var, extent ? *extent : -1, false});
        }
    }
    mark_windows(facts);
    return facts;
}

}  // namespace emulsion
