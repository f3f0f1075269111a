#include "tests/graphs/shrink.h"

#include <algorithm>
#include <chrono>
#include <set>

namespace emulsion::test {

namespace {

// `example` with these outputs only, and what `cut` has as inputs; without what is then unused.
GraphCase reduced(const GraphCase &example, const std::vector<Value> &values,
                  const std::vector<TensorId> &outputs, const std::set<TensorId> &cut) {
    const Graph &from = example.graph;
    std::set<TensorId> used;
    for (const TensorId id : outputs) {
        used.insert(id);
    }
    std::vector<Node> kept;
    for (size_t n = from.nodes.size(); n-- > 0;) {
        const Node &node = from.nodes[n];
        if (used.count(node.result()) != 0 && cut.count(node.result()) == 0) {
            used.insert(node.inputs.begin(), node.inputs.end());
            kept.insert(kept.begin(), node);
        }
    }
    GraphCase result;
    Graph &to = result.graph;
    to.name = from.name;
    to.opset = from.opset;
    std::map<TensorId, TensorId> place;
    const auto moved = [&](TensorId id) {
        if (id == kNoTensor) {
            return kNoTensor;
        }
        const auto [found, is_new] =
            place.try_emplace(id, static_cast<TensorId>(to.tensors.size()));
        if (is_new) {
            to.add_tensor(from.tensor(id));
        }
        return found->second;
    };
    const auto add_input = [&](TensorId id) {
        Value value = values[static_cast<size_t>(id)];
        round_to_type(value);
        to.inputs.push_back(moved(id));
        result.inputs.push_back(std::move(value));
    };
    for (const TensorId id : from.inputs) {
        if (used.count(id) != 0) {
            add_input(id);
        }
    }
    for (const TensorId id : cut) {
        if (used.count(id) != 0) {
            add_input(id);
        }
    }
    for (Node node : kept) {
        for (TensorId &id : node.inputs) {
            id = moved(id);
        }
        for (TensorId &id : node.outputs) {
            id = moved(id);
        }
        node.index = static_cast<int>(to.nodes.size());
        to.nodes.push_back(std::move(node));
    }
    for (const TensorId id : outputs) {
        to.outputs.push_back(moved(id));
    }
    return result;
}

}  // namespace

GraphCase shrink(const GraphCase &example, const std::function<bool(const GraphCase &)> &fails,
                 double seconds) {
    const auto start = std::chrono::steady_clock::now();
    const auto over = [&] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() >
               seconds;
    };
    GraphCase best = example;
    for (bool smaller = true; smaller && !over();) {
        smaller = false;
        const std::vector<Value> values = evaluate_graph(best.graph, best.inputs);
        const auto attempt = [&](const std::vector<TensorId> &outputs,
                                 const std::set<TensorId> &cut) {
            if (over() || outputs.empty()) {
                return false;
            }
            GraphCase candidate = reduced(best, values, outputs, cut);
            const auto size = [](const GraphCase &each) {
                return each.graph.nodes.size() * 2 + each.graph.outputs.size();
            };
            if (candidate.graph.nodes.empty() || size(candidate) >= size(best) ||
                !fails(candidate)) {
                return false;
            }
            best = std::move(candidate);
            smaller = true;
            return true;
        };
        // One output, or all but one.
        const std::vector<TensorId> outputs = best.graph.outputs;
        for (const TensorId id : outputs) {
            if (outputs.size() > 1 && attempt({id}, {})) {
                break;
            }
        }
        for (size_t i = 0; i < outputs.size() && outputs.size() > 2 && !smaller; i++) {
            std::vector<TensorId> others = outputs;
            others.erase(others.begin() + static_cast<ptrdiff_t>(i));
            attempt(others, {});
        }
        // All values before a node, from the last on, as inputs; a half, a quarter, ... and then one by one.
        const size_t count = best.graph.nodes.size();
        for (size_t step = count / 2; step > 0 && !smaller; step /= 2) {
            for (size_t from = 0; from < count && !smaller; from += step) {
                std::set<TensorId> cut;
                for (size_t n = from; n < std::min(count, from + step); n++) {
                    cut.insert(best.graph.nodes[n].result());
                }
                std::vector<TensorId> left;
                for (const TensorId id : best.graph.outputs) {
                    if (cut.count(id) == 0) {
                        left.push_back(id);
                    }
                }
                attempt(left, cut);
            }
        }
        // An intermediate value as the only output.
        for (size_t n = 0; n + 1 < best.graph.nodes.size() && !smaller; n++) {
            attempt({best.graph.nodes[n].result()}, {});
        }
    }
    return best;
}

}  // namespace emulsion::test
