#include "autoscheduler/taps.h"

#include <algorithm>
#include <map>
#include <sstream>

#include "autoscheduler/let_visitor.h"
#include "autoscheduler/reach.h"
#include "autoscheduler/unit_steps.h"

namespace emulsion {

namespace {

using namespace Halide::Internal;
using Halide::Expr;

// `index` as scale * variable + offset of one of `args`, or a constant.
TapIndex tap_index(const Expr &index, const std::vector<std::string> &args) {
    TapIndex tap;
    if (const auto known = as_const_int(simplify(index))) {
        tap.offset = *known;
        return tap;
    }
    for (size_t axis = 0; axis < args.size(); axis++) {
        if (!expr_uses_var(index, args[axis])) {
            continue;
        }
        const auto scale = coefficient(index, args[axis]);
        const Expr v = Variable::make(Halide::Int(32), args[axis]);
        const auto offset =
            scale ? as_const_int(simplify(index - v * static_cast<int>(*scale))) : std::nullopt;
        if (offset) {
            tap.axis = static_cast<int>(axis);
            tap.scale = *scale;
            tap.offset = *offset;
            return tap;
        }
        break;
    }
    std::ostringstream text;
    text << simplify(index);
    tap.other = text.str();
    for (size_t axis = 0; axis < args.size(); axis++) {
        tap.others |= expr_uses_var(index, args[axis]) ? uint64_t{1} << axis : 0;
    }
    return tap;
}

// Whether neighbours may be given the same index.
bool divides(const Expr &index) {
    class Divisions : public IRVisitor {
    public:
        bool any = false;

    private:
        using IRVisitor::visit;
        void visit(const Div *) override { any = true; }
    } divisions;
    simplify(index).accept(&divisions);
    return divisions.any;
}

class ReadCollector : public LetVisitor {
public:
    ReadCollector(const std::string &self, const std::vector<std::string> &args)
        : self_(self), args_(args) {}
    NamedReads reads;

private:
    using LetVisitor::visit;

    void visit(const Call *call) override {
        LetVisitor::visit(call);
        const bool tensor = call->call_type == Call::Halide || call->call_type == Call::Image;
        if (!tensor || call->name == self_) {
            return;
        }
        ImageRead &read = read_of(call->name);
        read.element_bytes = call->type.bytes();
        Tap tap;
        for (size_t i = 0; i < call->args.size(); i++) {
            const Expr index = with_unit_steps(without_lets(call->args[i]));
            tap.push_back(tap_index(index, args_));
            read.ordered.resize(call->args.size(), true);
            read.ordered[i] = read.ordered[i] && is_ordered(index);
            read.gathers = read.gathers || gathers(index, i == 0);
            read.data_dependent = read.data_dependent || reads_something(index);
            read.repeats = read.repeats || divides(index);
        }
        if (std::find(read.taps.begin(), read.taps.end(), tap) == read.taps.end()) {
            read.taps.push_back(tap);
        }
    }

    ImageRead &read_of(const std::string &name) {
        const auto [place, first] = places_.emplace(name, reads.size());
        if (first) {
            reads.emplace_back(name, ImageRead());
        }
        return reads[place->second].second;
    }

    bool is_ordered(const Expr &index) const {
        return std::all_of(args_.begin(), args_.end(), [&](const std::string &arg) {
            const Monotonic direction = is_monotonic(index, arg);
            return direction == Monotonic::Increasing || direction == Monotonic::Constant;
        });
    }

    // Along the columns, another axis than the innermost moves, or what moves it is read itself.
    bool gathers(const Expr &index, bool innermost) const {
        const bool moves = !args_.empty() && expr_uses_var(index, args_.front());
        return moves && (!innermost || reads_something(index));
    }

    const std::string &self_;
    const std::vector<std::string> &args_;
    std::map<std::string, size_t> places_;  // in `reads`
};

}  // namespace

bool reads_something(const Expr &e) {
    class CallFinder : public IRGraphVisitor {
    public:
        bool found = false;

    private:
        using IRGraphVisitor::visit;
        void visit(const Call *op) override {
            found = found || op->call_type == Call::Halide || op->call_type == Call::Image;
            IRGraphVisitor::visit(op);
        }
    } finder;
    e.accept(&finder);
    return finder.found;
}

NamedReads reads_of(const std::string &self, const std::vector<std::string> &args,
                    const std::vector<Expr> &expressions) {
    ReadCollector collector(self, args);
    for (const Expr &e : expressions) {
        e.accept(&collector);
    }
    return std::move(collector.reads);
}

}  // namespace emulsion
