// Runs a random graph through the compiler and compares with its reference.
#pragma once

#include <string>

#include "tests/graphs/configuration.h"
#include "tests/graphs/graph_maker.h"
#include "tests/lower/execution.h"

namespace emulsion::test {

enum class Outcome { Right, Refused, Wrong };

struct Verdict {
    Outcome outcome = Outcome::Right;
    std::string text;  // why refused, what is wrong
};

class CaseRun {
public:
    // Writes the model into `folder`, which must exist, and loads it. `cache`: folder of compiled units, which the
    // same build of the compiler has to have written. Throws Error where it is refused.
    CaseRun(const GraphCase &example, std::string folder, std::string cache);

    Verdict run(const Configuration &configuration);

private:
    Verdict in_process(const Graph &graph, const Configuration &configuration);
    Verdict as_artifact(const Configuration &configuration);

    const GraphCase &example_;
    std::string folder_, cache_;
    std::vector<Value> reference_;           // by tensor of the example's graph
    std::map<std::string, size_t> tensors_;  // of it, by name
    Graph loaded_;
    CompiledUnits compiled_;
};

// The model's file.
void write_model(const Graph &graph, const std::string &path);

}  // namespace emulsion::test
