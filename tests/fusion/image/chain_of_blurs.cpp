#include "tests/fusion/image/chain_of_blurs.h"

namespace emulsion {

void add_blur_of_rows(ImageGraph &graph, const std::string &name) {
    ImageRead read{.producer = static_cast<int>(graph.stages.size()) - 1};
    for (int64_t row = -1; row <= 1; row++) {
        read.taps.push_back({TapIndex{0, 1, 0, ""}, TapIndex{1, 1, row, ""}});
    }
    read.all = read.step = {Reach{{1.0, 0.0}, 1.0}, Reach{{0.0, 1.0}, 3.0}};
    read.ordered = {true, true};
    Definition definition{.operations = 5.0};
    definition.reads = {read};
    definition.free = {true, true};
    ImageStage stage{.name = name, .extents = {1024, 768}};
    stage.definitions = {definition};
    graph.stages.push_back(stage);
}

ImageGraph chain_of_row_blurs() {
    ImageGraph graph;
    for (const char *name : {"first", "second", "third", "out"}) {
        add_blur_of_rows(graph, name);
    }
    graph.stages.back().is_output = true;
    return graph;
}

CpuMachine machine_of_two_threads() {
    CpuMachine machine;
    machine.threads = 2;
    machine.vector_bytes = 32;
    return machine;
}

}  // namespace emulsion
