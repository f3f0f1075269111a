#include "tests/lower/random_network.h"

#include "tests/graphs/graph_maker.h"

namespace emulsion::test {

RandomNetwork random_network(uint64_t seed) {
    const GraphCase example = random_graph(seed, nullptr, 1, 6);
    RandomNetwork network{example.graph, {}, {}};
    for (const Value &value : evaluate_graph(example.graph, example.inputs)) {
        network.reference.push_back(value.at);
    }
    network.inputs.resize(network.reference.size());
    for (const TensorId id : example.graph.inputs) {
        network.inputs[static_cast<size_t>(id)] = network.reference[static_cast<size_t>(id)];
    }
    return network;
}

}  // namespace emulsion::test
