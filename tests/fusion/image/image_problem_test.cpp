#include "fusion/image/image_problem.h"

#include <gtest/gtest.h>

#include <functional>

#include "tests/fusion/image/chain_of_blurs.h"

namespace emulsion {

namespace {

const std::vector<std::string> kTypes{"float32", "float32", "float32", "float32"};

std::string problem_of(const std::function<void(ImageGraph &, CpuMachine &)> &change) {
    ImageGraph graph = chain_of_row_blurs();
    CpuMachine machine = machine_of_two_threads();
    change(graph, machine);
    return image_problem(graph, kTypes, machine, "x86-64-linux");
}

}  // namespace

TEST(ImageProblem, DoesNotDependOnNames) {
    const std::string problem = problem_of([](ImageGraph &, CpuMachine &) {});
    EXPECT_EQ(33U, problem.size());
    EXPECT_EQ(problem,
              problem_of([](ImageGraph &graph, CpuMachine &) { graph.stages[1].name = "other"; }));
    const auto with_index = [](const std::string &text) {
        return problem_of([&](ImageGraph &graph, CpuMachine &) {
            graph.stages[1].definitions[0].reads[0].taps[0][0] = {-1, 1, 0, text, 1};
        });
    };
    EXPECT_EQ(with_index("x/2"), with_index("y$3/2"));
    EXPECT_NE(problem, with_index("x/2"));
}

TEST(ImageProblem, DependsOnAllThatAScheduleDoes) {
    const std::string problem = problem_of([](ImageGraph &, CpuMachine &) {});
    const std::vector<std::function<void(ImageGraph &, CpuMachine &)>> changes{
        [](ImageGraph &g, CpuMachine &) { g.stages[2].extents[1]++; },
        [](ImageGraph &g, CpuMachine &) { g.stages[2].element_bytes = 2; },
        [](ImageGraph &g, CpuMachine &) { g.stages[2].definitions[0].operations += 1.0; },
        [](ImageGraph &g, CpuMachine &) {
            g.stages[2].definitions[0].reads[0].taps[0][1].offset = -2;
        },
        [](ImageGraph &g, CpuMachine &) { g.stages[2].definitions[0].reads[0].producer = 0; },
        [](ImageGraph &g, CpuMachine &) { g.stages[2].is_output = true; },
        [](ImageGraph &g, CpuMachine &) { add_blur_of_rows(g, "more"); },
        [](ImageGraph &, CpuMachine &m) { m.threads = 4; },
        [](ImageGraph &, CpuMachine &m) { m.vector_bytes = 64; },
        [](ImageGraph &, CpuMachine &m) { m.l2_bytes *= 2; }};
    for (size_t i = 0; i < changes.size(); i++) {
        EXPECT_NE(problem, problem_of(changes[i])) << i;
    }
    const ImageGraph graph = chain_of_row_blurs();
    const CpuMachine machine = machine_of_two_threads();
    EXPECT_NE(problem, image_problem(graph, kTypes, machine, "x86-64-linux-avx2"));
    std::vector<std::string> types = kTypes;
    types[0] = "int32";
    EXPECT_NE(problem, image_problem(graph, types, machine, "x86-64-linux"));
}

}  // namespace emulsion
