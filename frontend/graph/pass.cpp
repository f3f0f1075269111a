// The pass runner.
#include "frontend/graph/pass.h"

#include <algorithm>
#include <chrono>
#include <tuple>

namespace emulsion {

namespace {

Error unknown_pass(const std::string &name, const std::vector<const Pass *> &passes) {
    std::string message = "there is no graph pass '" + name + "'; there are";
    for (const Pass *pass : passes) {
        message += ' ';
        message += pass->name;
    }
    return Error(message);
}

void check_names(const std::set<std::string> &disabled, const std::vector<const Pass *> &passes) {
    for (const std::string &name : disabled) {
        const bool known = std::any_of(passes.begin(), passes.end(),
                                       [&](const Pass *pass) { return pass->name == name; });
        if (!known) {
            throw unknown_pass(name, passes);
        }
    }
}

}  // namespace

std::vector<const Pass *> ordered_passes() {
    const auto all = all_passes();
    std::vector<const Pass *> passes(all.begin(), all.end());
    std::sort(passes.begin(), passes.end(), [](const Pass *a, const Pass *b) {
        return std::tie(a->order, a->name) < std::tie(b->order, b->name);
    });
    return passes;
}

Graph run_passes(Graph graph, const std::set<std::string> &disabled, std::vector<PassTime> *times) {
    using Clock = std::chrono::steady_clock;
    const std::vector<const Pass *> passes = ordered_passes();
    check_names(disabled, passes);
    for (const Pass *pass : passes) {
        if (disabled.count(pass->name) != 0) {
            continue;
        }
        const Clock::time_point start = Clock::now();
        graph = pass->run(std::move(graph));
        try {
            graph.verify();
        } catch (const Error &error) {
            throw failure("after the pass " + pass->name + ", " + error.message(), error.place());
        }
        if (times != nullptr) {
            const std::chrono::duration<double> spent = Clock::now() - start;
            times->push_back({pass->name, spent.count()});
        }
    }
    return graph;
}

UnusedNames::UnusedNames(const Graph &graph) {
    for (const Tensor &tensor : graph.tensors) {
        names_.insert(tensor.name);
    }
}

std::string UnusedNames::make(std::string wanted) {
    while (!names_.insert(wanted).second) {
        wanted += '_';
    }
    return wanted;
}

}  // namespace emulsion
