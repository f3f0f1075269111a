#include "autoscheduler/func_order.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

namespace emulsion {

namespace {

using namespace Halide::Internal;

class CallsInOrder : public IRVisitor {
public:
    explicit CallsInOrder(const Function &f) : names_{f.name()} {
        f.accept(this);
        for (const Halide::ExternFuncArgument &argument : f.extern_arguments()) {
            if (argument.is_func()) {
                add(Function(argument.func));
            }
        }
    }
    std::vector<Function> found;

private:
    using IRVisitor::visit;

    void visit(const Call *op) override {
        IRVisitor::visit(op);
        if (op->call_type == Call::Halide && op->func.defined()) {
            add(Function(op->func));
        }
    }

    void add(const Function &f) {
        if (names_.insert(f.name()).second) {
            found.push_back(f);
        }
    }

    std::set<std::string> names_;
};

class Walk {
public:
    explicit Walk(FuncCalls calls) : calls_(std::move(calls)) {}

    void from(const Function &f) {
        if (!met_.emplace(f.name(), met_.size()).second) {
            return;
        }
        for (const Function &callee : calls_(f)) {
            from(callee);
        }
        finished.push_back(f.name());
    }

    size_t met(const std::string &name) const { return met_.at(name); }

    std::vector<std::string> finished;  // producers first

private:
    FuncCalls calls_;
    std::map<std::string, size_t> met_;
};

std::string without_number(const std::string &name) {
    std::string prefix = name.substr(0, name.find('$'));
    while (!prefix.empty() && std::isdigit(static_cast<unsigned char>(prefix.back())) != 0) {
        prefix.pop_back();
    }
    return prefix;
}

}  // namespace

std::vector<Function> functions_of(const std::vector<Halide::Func> &funcs) {
    std::vector<Function> functions;
    for (const Halide::Func &func : funcs) {
        functions.push_back(func.function());
    }
    return functions;
}

std::vector<Function> direct_calls(const Function &f) { return CallsInOrder(f).found; }

std::vector<std::string> structural_order(const std::vector<Function> &outputs,
                                          const FuncCalls &calls) {
    Walk walk(calls);
    for (const Function &output : outputs) {
        walk.from(output);
    }
    return std::move(walk.finished);
}

std::vector<std::string> numbered_order(const std::vector<Function> &outputs,
                                        const FuncCalls &calls) {
    Walk met(calls);
    for (const Function &output : outputs) {
        met.from(output);
    }
    Walk sorted([&](const Function &f) {
        std::vector<Function> read = calls(f);
        const auto key = [&](const Function &g) {
            return std::pair(without_number(g.name()), met.met(g.name()));
        };
        std::sort(read.begin(), read.end(),
                  [&](const Function &a, const Function &b) { return key(a) < key(b); });
        return read;
    });
    for (const Function &output : outputs) {
        sorted.from(output);
    }
    return std::move(sorted.finished);
}

}  // namespace emulsion
