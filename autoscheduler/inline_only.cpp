#include "autoscheduler/inline_only.h"

#include <algorithm>
#include <map>

#include "autoscheduler/definitions.h"
#include "autoscheduler/func_order.h"
#include "autoscheduler/user_schedule.h"

namespace emulsion {

namespace {

using namespace Halide::Internal;
using Halide::Expr;
using Halide::Func;

class NamedInliner : public IRMutator {
public:
    NamedInliner(const std::set<std::string> &names, const std::map<std::string, Function> &env)
        : names_(names), env_(env) {}

private:
    using IRMutator::visit;

    Expr visit(const Call *call) override {
        Expr mutated = IRMutator::visit(call);
        if (call->call_type != Call::Halide || names_.count(call->name) == 0) {
            return mutated;
        }
        const Function &f = env_.at(call->name);
        Expr body = this->body(f, call->value_index);
        for (size_t i = 0; i < call->args.size(); i++) {
            body = Let::make(f.name() + "." + f.args()[i], mutated.as<Call>()->args[i], body);
        }
        return body;
    }

    // With arguments named after the Func, which no other expression uses.
    Expr body(const Function &f, int value) {
        const auto key = std::make_pair(f.name(), value);
        const auto known = bodies_.find(key);
        if (known != bodies_.end()) {
            return known->second;
        }
        const Expr e = qualify(f.name() + ".", f.values()[static_cast<size_t>(value)]);
        return bodies_[key] = common_subexpression_elimination(mutate(e));
    }

    const std::set<std::string> &names_;
    const std::map<std::string, Function> &env_;
    std::map<std::pair<std::string, int>, Expr> bodies_;
};

class Search {
public:
    explicit Search(const std::vector<Func> &outputs) {
        const std::vector<Function> functions = functions_of(outputs);
        for (const Func &output : outputs) {
            outputs_.insert(output.name());
        }
        env_ = build_environment(functions);
        order_ = structural_order(functions);
        bounds_ = compute_function_value_bounds(order_, env_);
    }

    std::set<std::string> run() {
        for (std::string next = find(); !next.empty(); next = find()) {
            inlined_.insert(next);
            for (auto it = bounded_.begin(); it != bounded_.end();) {
                it = it->second.count(next) != 0 ? bounded_.erase(it) : std::next(it);
            }
        }
        return std::move(inlined_);
    }

private:
    bool can_inline(const std::string &name) const {
        const Function &f = env_.at(name);
        return outputs_.count(name) == 0 && f.can_be_inlined() && user_schedule(f).is_empty();
    }

    // One more to inline: what is read without bounds, or else its reader, whose own readers may read
    // within bounds.
    std::string find() {
        for (auto it = order_.rbegin(); it != order_.rend(); ++it) {
            if (inlined_.count(*it) != 0 || bounded_.count(*it) != 0) {
                continue;
            }
            std::set<std::string> read;
            for (const FuncDefinition &definition : definitions_of(env_.at(*it))) {
                std::string unbounded = unbounded_of(env_.at(*it), definition, read);
                if (!unbounded.empty()) {
                    if (can_inline(unbounded)) {
                        return unbounded;
                    }
                    if (can_inline(*it)) {
                        return *it;
                    }
                }
            }
            bounded_[*it] = read;
        }
        return "";
    }

    std::string unbounded_of(const Function &f, const FuncDefinition &definition,
                             std::set<std::string> &read) const {
        Scope<Interval> scope;
        const auto push = [&](const std::string &variable) {
            const std::string name = f.name() + "." + variable;
            scope.push(variable, Interval(Variable::make(Halide::Int(32), name + ".min"),
                                          Variable::make(Halide::Int(32), name + ".max")));
        };
        for (const std::string &arg : f.args()) {
            push(arg);
        }
        for (const ReductionVariable &r : definition.reduced) {
            push(r.var);
        }
        for (const Expr &e : definition.guarded) {
            const Expr expanded = inline_funcs(e, inlined_, env_);
            const auto boxes = boxes_required(expanded, scope, bounds_);
            for (const std::string &callee : order_) {
                const auto box = boxes.find(callee);
                if (callee == f.name() || box == boxes.end()) {
                    continue;
                }
                read.insert(callee);
                if (!std::all_of(box->second.bounds.begin(), box->second.bounds.end(),
                                 [](const Interval &i) { return i.is_bounded(); })) {
                    return callee;
                }
            }
        }
        return "";
    }

    std::set<std::string> outputs_;
    std::map<std::string, Function> env_;
    std::vector<std::string> order_;
    FuncValueBounds bounds_;
    std::set<std::string> inlined_;
    std::map<std::string, std::set<std::string>> bounded_;  // by reader that is done: what it reads
};

}  // namespace

std::set<std::string> inline_only(const std::vector<Func> &outputs) {
    return Search(outputs).run();
}

Expr inline_funcs(const Expr &e, const std::set<std::string> &names,
                  const std::map<std::string, Function> &env) {
    if (names.empty()) {
        return e;
    }
    return common_subexpression_elimination(NamedInliner(names, env).mutate(e));
}

}  // namespace emulsion
