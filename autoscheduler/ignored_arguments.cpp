#include "autoscheduler/ignored_arguments.h"

#include <map>
#include <vector>

#include "autoscheduler/definitions.h"
#include "autoscheduler/let_visitor.h"

namespace emulsion {

namespace {

using namespace Halide::Internal;
using Halide::Expr;

using Ignored = std::map<std::string, std::vector<bool>>;  // per argument of pure Funcs

// The variables on which an expression depends.
class LiveVariables : public IRVisitor {
public:
    explicit LiveVariables(const Ignored &ignored) : ignored_(ignored) {}
    std::set<std::string> names;

private:
    using IRVisitor::visit;

    void visit(const Variable *op) override { names.insert(op->name); }

    void visit(const Let *op) override {
        op->body.accept(this);
        if (names.erase(op->name) > 0) {
            op->value.accept(this);
        }
    }

    void visit(const Call *op) override {
        const auto ignored = ignored_.find(op->name);
        for (size_t i = 0; i < op->args.size(); i++) {
            if (ignored == ignored_.end() || !ignored->second[i]) {
                op->args[i].accept(this);
            }
        }
    }

    const Ignored &ignored_;
};

class ReadsForNothing : public LetVisitor {
public:
    explicit ReadsForNothing(const Ignored &ignored) : ignored_(ignored) {}
    std::set<std::string> callees;

private:
    using LetVisitor::visit;

    void visit(const Call *op) override {
        LetVisitor::visit(op);
        const auto ignored = ignored_.find(op->name);
        for (size_t i = 0; ignored != ignored_.end() && i < op->args.size(); i++) {
            if (ignored->second[i] && !funcs_read_by(without_lets(op->args[i])).empty()) {
                callees.insert(op->name);
            }
        }
    }

    const Ignored &ignored_;
};

std::vector<bool> ignored_by(const Function &f, const Ignored &ignored) {
    LiveVariables live(ignored);
    for (const FuncDefinition &definition : definitions_of(f)) {
        for (const Expr &e : definition.expressions) {
            e.accept(&live);
        }
    }
    std::vector<bool> result;
    for (const std::string &arg : f.args()) {
        result.push_back(live.names.count(arg) == 0);
    }
    return result;
}

}  // namespace

std::set<std::string> funcs_ignoring_reads(const Regions &regions) {
    Ignored ignored;
    for (const std::string &name : regions.order()) {
        const Function &f = regions.env().at(name);
        if (!f.has_update_definition() && !f.has_extern_definition()) {
            ignored[name] = ignored_by(f, ignored);
        }
    }
    ReadsForNothing reads(ignored);
    for (const std::string &name : regions.order()) {
        for (const FuncDefinition &definition : regions.definitions(name)) {
            for (const Expr &e : definition.expressions) {
                e.accept(&reads);
            }
        }
    }
    return std::move(reads.callees);
}

}  // namespace emulsion
