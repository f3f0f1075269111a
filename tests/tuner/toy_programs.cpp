#include "tests/tuner/toy_programs.h"

#include <algorithm>
#include <random>

namespace emulsion {

namespace {

bool is_in_loop(const CodeFeatures &program, const std::vector<float> &node) {
    return node[0] > 0.0F && program.nodes[static_cast<size_t>(node[0]) - 1][2] == 1.0F;
}

}  // namespace

std::vector<CodeFeatures> toy_programs(size_t count, uint64_t seed) {
    std::mt19937_64 engine(seed);
    std::uniform_real_distribution<float> uniform(0.0F, 4.0F);
    std::vector<CodeFeatures> programs(count);
    for (CodeFeatures &program : programs) {
        const size_t nodes = 4 + engine() % 9;
        for (size_t i = 0; i < nodes; i++) {
            const auto parent = i == 0 ? 0.0F : static_cast<float>(1 + engine() % i);
            const auto kind = static_cast<float>(1 + engine() % 4);
            program.nodes.push_back({parent, 0.0F, kind, uniform(engine), uniform(engine)});
            program.statements.push_back(
                {program.nodes[i][3], is_in_loop(program, program.nodes[i]) ? 1.0F : 0.0F});
        }
    }
    return programs;
}

std::vector<float> toy_scores(const std::vector<CodeFeatures> &programs) {
    std::vector<float> times;
    float least = 1e9F;
    for (const CodeFeatures &program : programs) {
        float time = 1.0F;
        for (const std::vector<float> &node : program.nodes) {
            time += is_in_loop(program, node) ? node[3] : 0.0F;
        }
        times.push_back(time);
        least = std::min(least, time);
    }
    for (float &time : times) {
        time = least / time;
    }
    return times;
}

}  // namespace emulsion
