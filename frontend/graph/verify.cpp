// Graph::verify: what every pass may count on and must leave true.
#include <string>
#include <unordered_set>
#include <vector>

#include "frontend/graph/graph.h"

namespace emulsion {

namespace {

class Verifier {
public:
    explicit Verifier(const Graph &graph) : graph_(graph), made_(graph.tensors.size(), false) {}

    void run() {
        tensors();
        for (const TensorId id : graph_.inputs) {
            check_id(id, "a graph input", {});
            if (graph_.tensor(id).is_constant()) {
                refuse("graph input " + quoted(id) + " is a constant", {});
            }
            make(id, {});
        }
        for (const Node &node : graph_.nodes) {
            verify_node(node);
        }
        outputs();
    }

private:
    [[noreturn]] static void refuse(const std::string &what, const ErrorPlace &place) {
        throw Error("the graph is inconsistent: " + what, place);
    }

    std::string quoted(TensorId id) const { return "'" + graph_.tensor(id).name + "'"; }

    void check_id(TensorId id, const std::string &role, const ErrorPlace &place) const {
        if (id < 0 || static_cast<size_t>(id) >= graph_.tensors.size()) {
            refuse(role + " has the tensor number " + std::to_string(id) + " of " +
                       std::to_string(graph_.tensors.size()),
                   place);
        }
    }

    void make(TensorId id, const ErrorPlace &place) {
        if (made_[static_cast<size_t>(id)]) {
            refuse(quoted(id) + " is made twice", place);
        }
        made_[static_cast<size_t>(id)] = true;
    }

    void tensors() {
        std::unordered_set<std::string> names;
        for (size_t i = 0; i < graph_.tensors.size(); ++i) {
            const Tensor &tensor = graph_.tensors[i];
            if (!names.insert(tensor.name).second) {
                refuse("two tensors are named '" + tensor.name + "'", {});
            }
            if (!tensor.is_constant()) {
                continue;
            }
            made_[i] = true;
            size_t expected = 0;
            if (__builtin_mul_overflow(tensor.element_count(), size_of(tensor.type), &expected) ||
                tensor.constant->size != expected) {
                refuse("constant '" + tensor.name + "' has " +
                           std::to_string(tensor.constant->size) + " bytes where type and shape " +
                           "need " + std::to_string(expected),
                       {});
            }
        }
    }

    void verify_node(const Node &node) {
        for (const TensorId id : node.inputs) {
            if (id == kNoTensor) {
                continue;
            }
            check_id(id, "an input", node.place());
            if (!made_[static_cast<size_t>(id)]) {
                refuse(quoted(id) + " is read before it is made", node.place());
            }
        }
        int results = 0;
        for (const TensorId id : node.outputs) {
            if (id == kNoTensor) {
                continue;
            }
            results++;
            check_id(id, "an output", node.place());
            make(id, node.place());
        }
        if (results != 1) {
            refuse("a node has " + std::to_string(results) + " results instead of one",
                   node.place());
        }
    }

    void outputs() const {
        const std::vector<int> producers = graph_.producers();
        std::unordered_set<TensorId> seen;
        for (const TensorId id : graph_.outputs) {
            check_id(id, "a graph output", {});
            if (producers[static_cast<size_t>(id)] < 0) {
                refuse("no node makes graph output " + quoted(id), {});
            }
            if (!seen.insert(id).second) {
                refuse("graph output " + quoted(id) + " is listed twice", {});
            }
        }
    }

    const Graph &graph_;
    std::vector<bool> made_;
};

}  // namespace

void Graph::verify() const { Verifier(*this).run(); }

}  // namespace emulsion
