#include "autoscheduler/templates/support/buffer_reads.h"

#include "autoscheduler/user_schedule.h"

namespace emulsion {

namespace {

using namespace Halide::Internal;
using Halide::Expr;

// Calls to look at before giving up: definitions that read each other twice grow exponentially.
constexpr int kMostCalls = 200;

class Reader : public IRGraphVisitor {
public:
    BufferReads found;

    void read(const Expr &value) { include(value); }

private:
    using IRGraphVisitor::visit;

    void visit(const Variable *variable) override { found.variables.insert(variable->name); }

    void visit(const Call *call) override {
        if (call->call_type == Call::Image) {
            add(call);
        } else if (call->call_type == Call::Halide) {
            follow(call);
        } else {
            IRGraphVisitor::visit(call);
        }
    }

    void add(const Call *call) {
        const BufferReads inside = buffer_reads(call->args);
        found.complete = found.complete && inside.complete;
        found.reads.insert(found.reads.end(), inside.reads.begin(), inside.reads.end());
        if (call->param.defined()) {
            found.reads.push_back({call->param, call->args});
        } else {
            found.complete = false;
        }
    }

    void follow(const Call *call) {
        const bool defined = call->func.defined();
        const Function callee = defined ? Function(call->func) : Function();
        if (!defined || calls_++ > kMostCalls || callee.has_update_definition() ||
            callee.has_extern_definition() || callee.values().size() != 1) {
            found.complete = false;
            return;
        }
        found.complete = found.complete && !user_schedule(callee).has_level;
        include(at(callee, call->args));
    }

    // The value of `callee` there: what it uses several times is replaced once. Names of arguments may be those of
    // variables in other arguments.
    static Expr at(const Function &callee, const std::vector<Expr> &args) {
        Expr value = callee.values().front();
        std::vector<std::string> names;
        for (const std::string &name : callee.args()) {
            names.push_back(name + "$called");
            value = graph_substitute(name, Variable::make(Halide::Int(32), names.back()), value);
        }
        for (size_t i = 0; i < args.size(); i++) {
            value = graph_substitute(names[i], args[i], value);
        }
        return value;
    }

    int calls_ = 0;
};

}  // namespace

BufferReads buffer_reads(const std::vector<Expr> &values) {
    Reader reader;
    for (const Expr &value : values) {
        reader.read(value);
    }
    return reader.found;
}

}  // namespace emulsion
