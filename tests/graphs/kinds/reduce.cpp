#include <algorithm>
#include <cmath>
#include <numeric>

#include "tests/graphs/graph_maker.h"

namespace emulsion {

using namespace test;

namespace {

const std::vector<std::string> kReductions = {
    "ReduceMean", "ReduceSum", "ReduceMax",       "ReduceMin",    "ReduceProd",
    "ReduceL1",   "ReduceL2",  "ReduceSumSquare", "ReduceLogSum", "ReduceLogSumExp"};

double reduce(const std::string &op, const std::vector<double> &all) {
    double sum = 0, squares = 0, absolute = 0, product = 1, exponentials = 0;
    for (const double v : all) {
        sum += v;
        squares += v * v;
        absolute += std::abs(v);
        product *= v;
        exponentials += std::exp(v);
    }
    return op == "ReduceSum"         ? sum
           : op == "ReduceMean"      ? sum / static_cast<double>(all.size())
           : op == "ReduceMax"       ? *std::max_element(all.begin(), all.end())
           : op == "ReduceMin"       ? *std::min_element(all.begin(), all.end())
           : op == "ReduceProd"      ? product
           : op == "ReduceL1"        ? absolute
           : op == "ReduceL2"        ? std::sqrt(squares)
           : op == "ReduceSumSquare" ? squares
           : op == "ReduceLogSum"    ? std::log(sum)
                                     : std::log(exponentials);
}

// The elements that become one, for every element of the result, whose reduced axes have extent 1.
std::vector<std::vector<double>> gathered(const Value &x, const std::vector<bool> &reduced,
                                          Shape &shape) {
    shape = x.shape;
    for (size_t i = 0; i < shape.size(); i++) {
        shape[i] = reduced[i] ? 1 : shape[i];
    }
    const Value layout(x.type, shape);
    std::vector<std::vector<double>> all(layout.at.size());
    for_each_index(x.shape, [&](const Shape &at, size_t flat) {
        Shape to = at;
        for (size_t i = 0; i < to.size(); i++) {
            to[i] = reduced[i] ? 0 : to[i];
        }
        all[layout.flat(to)].push_back(x.at[flat]);
    });
    return all;
}

Shape dropped(const Shape &shape, const std::vector<bool> &reduced, bool keep) {
    Shape result;
    for (size_t i = 0; i < shape.size(); i++) {
        if (keep || !reduced[i]) {
            result.push_back(shape[i]);
        }
    }
    return result;
}

std::vector<Value> reference_reduce(const Call &call) {
    const Value &x = call[0];
    std::vector<bool> reduced(x.rank(), !call.has(1) || call[1].at.empty());
    if (call.has(1)) {
        for (const int64_t axis : call.integers(1)) {
            reduced[static_cast<size_t>(axis_from_start(axis, x.rank()))] = true;
        }
    }
    Value y;
    y.type = x.type;
    for (const std::vector<double> &each : gathered(x, reduced, y.shape)) {
        const double v = reduce(call.node.operator_type, each);
        y.at.push_back(is_float(x.type) ? v : std::trunc(v));
    }
    y.shape = dropped(y.shape, reduced, call.integer("keepdims", 1) != 0);
    return {y};
}

std::vector<Value> reference_arg(const Call &call) {
    const Value &x = call[0];
    std::vector<bool> reduced(x.rank(), false);
    reduced[static_cast<size_t>(axis_from_start(call.integer("axis", 0), x.rank()))] = true;
    const bool last = call.integer("select_last_index", 0) != 0;
    const double sign = call.node.operator_type == "ArgMax" ? 1 : -1;
    Value y;
    y.type = DataType::I64;
    for (const std::vector<double> &each : gathered(x, reduced, y.shape)) {
        size_t best = 0;
        for (size_t i = 1; i < each.size(); i++) {
            const bool better =
                sign * each[i] > sign * each[best] || (last && each[i] == each[best]);
            best = better ? i : best;
        }
        y.at.push_back(static_cast<double>(best));
    }
    y.shape = dropped(y.shape, reduced, call.integer("keepdims", 1) != 0);
    return {y};
}

void make_reduce(GraphMaker &maker) {
    Draw &draw = maker.draw;
    const bool integers = draw.one_in(5);
    const TensorId x = integers ? maker.pick([](const Value &v) {
        return v.rank() > 0 && (v.type == DataType::I32 || v.type == DataType::I64);
    })
                                : maker.pick_real(1, 6);
    const Shape shape = maker.shape(x);
    if (integers) {
        maker.option("integers");
    }
    const int64_t keep = draw.integer(0, 1);
    maker.option(keep != 0 ? "keepdims" : "axes dropped");
    if (draw.one_in(4)) {
        const auto op = draw.of<std::string>({"ArgMax", "ArgMin"});
        const auto axis = draw.below(shape.size());
        maker.option(op);
        std::map<std::string, Attribute> attributes = {{"axis", axis}, {"keepdims", keep}};
        if (draw.flip()) {
            attributes["select_last_index"] = int64_t{1};
            maker.option("select_last_index");
        }
        maker.node(op, {x}, attributes);
        return;
    }
    const std::string op = draw.of(kReductions);
    maker.require(!integers || (op != "ReduceMean" && op != "ReduceL2" && op != "ReduceLogSum" &&
                                op != "ReduceLogSumExp"));
    maker.option(op);
    Shape axes;
    const int64_t how = draw.integer(0, 3);
    for (size_t i = 0; i < shape.size(); i++) {
        const bool spatial = i >= 2 && shape.size() > 2;
        if (how == 0 ? spatial : how == 1 ? i + 1 == shape.size() : draw.flip()) {
            axes.push_back(draw.one_in(4)
                               ? static_cast<int64_t>(i) - static_cast<int64_t>(shape.size())
                               : static_cast<int64_t>(i));
        }
    }
    std::vector<TensorId> inputs{x};
    if (!axes.empty()) {
        inputs.push_back(maker.list(axes));
    }
    maker.option(axes.empty() || axes.size() == shape.size() ? "all axes"
                 : axes.size() == 1                          ? "one axis"
                                                             : "some axes");
    maker.node(op, inputs, {{"keepdims", keep}});
}

}  // namespace

const GraphKind &graph_kind_reduce() {
    static const GraphKind kind = [] {
        GraphKind made{.name = "Reduce",
                       .weight = 5,
                       .options = {"ArgMax", "ArgMin", "select_last_index", "keepdims",
                                   "axes dropped", "all axes", "one axis", "some axes", "integers"},
                       .make = make_reduce,
                       .operators = {{"ArgMax", reference_arg}, {"ArgMin", reference_arg}}};
        for (const std::string &name : kReductions) {
            made.options.push_back(name);
            made.operators[name] = reference_reduce;
        }
        return made;
    }();
    return kind;
}

}  // namespace emulsion
