#include "autoscheduler/index_values.h"

#include "autoscheduler/definitions.h"
#include "autoscheduler/let_visitor.h"

namespace emulsion {

namespace {

using namespace Halide::Internal;
using Halide::Expr;

bool has_signed_xor(const Function &f) {
    class Finder : public IRGraphVisitor {
    public:
        bool found = false;

    private:
        using IRGraphVisitor::visit;
        void visit(const Call *op) override {
            found = found || (op->is_intrinsic(Call::bitwise_xor) && op->type.is_int());
            IRGraphVisitor::visit(op);
        }
    } finder;
    f.accept(&finder);
    return finder.found;
}

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
            names.merge(funcs_read_by(without_lets(index)));
        }
    }
};

}  // namespace

std::set<std::string> index_values_without_bounds(const Regions &regions) {
    ReadForIndices indices;
    for (const std::string &name : regions.order()) {
        for (const FuncDefinition &definition : regions.definitions(name)) {
            for (const Expr &e : definition.expressions) {
                e.accept(&indices);
            }
        }
    }
    std::set<std::string> found;
    for (auto name = regions.order().rbegin(); name != regions.order().rend(); ++name) {
        const Function &f = regions.env().at(*name);
        if (indices.names.count(*name) == 0 || f.has_update_definition() ||
            f.has_extern_definition()) {
            continue;
        }
        for (const auto &[read, function] : find_direct_calls(f)) {
            indices.names.insert(read);
        }
        if (has_signed_xor(f)) {
            found.insert(*name);
        }
    }
    return found;
}

}  // namespace emulsion
