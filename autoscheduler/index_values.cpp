#include "autoscheduler/index_values.h"

#include "autoscheduler/definitions.h"
#include "autoscheduler/let_visitor.h"

namespace emulsion {

namespace {

using namespace Halide::Internal;
using Halide::Expr;

class ReadFuncs : public IRGraphVisitor {
public:
    std::set<std::string> names;
    bool has_xor = false;

private:
    using IRGraphVisitor::visit;
    void visit(const Call *op) override {
        if (op->call_type == Call::Halide) {
            names.insert(op->name);
        }
        has_xor = has_xor || (op->is_intrinsic(Call::bitwise_xor) && op->type.is_int());
        IRGraphVisitor::visit(op);
    }
};

// What is read inside of indices.
class ReadForIndices : public LetVisitor {
public:
    std::set<std::string> names;

private:
    using LetVisitor::visit;
    void visit(const Call *op) override {
        LetVisitor::visit(op);
        if (op->call_type != Call::Halide && op->call_type != Call::Image) {
            return;
        }
        for (const Expr &index : op->args) {
            ReadFuncs read;
            without_lets(index).accept(&read);
            names.insert(read.names.begin(), read.names.end());
        }
    }
};

}  // namespace

std::set<std::string> index_values_without_bounds(const std::map<std::string, Function> &env,
                                                  const std::vector<std::string> &order) {
    ReadForIndices indices;
    for (const std::string &name : order) {
        for (const FuncDefinition &definition : definitions_of(env.at(name))) {
            for (const Expr &e : definition.expressions) {
                e.accept(&indices);
            }
        }
    }
    std::set<std::string> found;
    for (auto name = order.rbegin(); name != order.rend(); ++name) {
        const Function &f = env.at(*name);
        if (indices.names.count(*name) == 0 || f.has_update_definition() ||
            f.has_extern_definition()) {
            continue;
        }
        ReadFuncs read;
        for (const FuncDefinition &definition : definitions_of(f)) {
            for (const Expr &e : definition.expressions) {
                e.accept(&read);
            }
        }
        indices.names.insert(read.names.begin(), read.names.end());
        if (read.has_xor) {
            found.insert(*name);
        }
    }
    return found;
}

}  // namespace emulsion
