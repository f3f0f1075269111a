// Units by themselves: what they are called with, what they compute, and the figures about them.
#include "bench/measure_unit.h"

#include <cstring>

#include <gtest/gtest.h>

#include "bench/unit_buffers.h"
#include "frontend/graph/pass.h"
#include "frontend/lower/problem_key.h"
#include "frontend/onnx/loader.h"
#include "frontend/zoo/zoo.h"
#include "tests/bench/program.h"

namespace emulsion {
namespace {

PlannedNetwork small_network() {
    const auto folder = make_scratch_folder();
    const std::string path = folder->path() / "model.onnx";
    write_zoo_model("tiny_residual", path);
    PlanOptions options;
    options.target = "x86-64-linux-avx2-fma";
    return plan_network(run_passes(load_model(path)), options);
}

// One that reads a value with a halo, and weights.
const Unit &padded_unit(const PlannedNetwork &network) {
    for (const PlannedLaunch &launch : network.launches) {
        if (launch.unit.inputs.size() > 1 && launch.unit.inputs[0].layout.has_halo()) {
            return launch.unit;
        }
    }
    ADD_FAILURE() << "no unit reads a halo";
    return network.launches.front().unit;
}

TEST(UnitBuffers, HaveTheShapesAndHalosOfTheUnitsArguments) {
    const PlannedNetwork network = small_network();
    const Unit &unit = padded_unit(network);
    std::vector<bool> constant(unit.inputs.size(), true);
    constant[0] = false;
    UnitBuffers buffers(unit, constant, 1);
    const std::vector<void *> arguments = buffers.arguments();
    ASSERT_EQ(unit.inputs.size() + 1, arguments.size());
    for (size_t i = 0; i < unit.inputs.size(); i++) {
        const auto *buffer = static_cast<const halide_buffer_t *>(arguments[i]);
        const Tensor &tensor = unit.graph.tensor(unit.inputs[i].tensor);
        const auto dimensions = buffer_dimensions(tensor.extents(), unit.inputs[i].layout);
        ASSERT_EQ(dimensions.size(), static_cast<size_t>(buffer->dimensions));
        for (size_t d = 0; d < dimensions.size(); d++) {
            EXPECT_EQ(dimensions[d].min, buffer->dim[d].min);
            EXPECT_EQ(dimensions[d].extent, buffer->dim[d].extent);
            EXPECT_EQ(dimensions[d].stride, buffer->dim[d].stride);
        }
        if (unit.inputs[i].layout.has_halo() && tensor.type == DataType::F32) {
            float corner = 1.0F;  // where the buffer begins
            std::memcpy(&corner, buffer->host, sizeof(corner));
            EXPECT_EQ(static_cast<float>(unit.inputs[i].layout.fill), corner);
        }
    }
    EXPECT_LT(0, buffers.weights_bytes());
}

TEST(ProblemKeys, AreOfAllButTheLoopNests) {
    const PlannedNetwork network = small_network();
    Unit unit = padded_unit(network);
    const std::string problem = problem_key(unit), key = unit_key(unit);
    for (PlannedMember &member : unit.plan.groups[0].members) {
        if (!member.nest.empty()) {
            member.nest.parameters["vector"] = 1;
        }
    }
    EXPECT_EQ(problem, problem_key(unit));
    EXPECT_NE(key, unit_key(unit));
    unit.target = "x86-64-linux";
    EXPECT_NE(problem, problem_key(unit));
}

TEST(AloneAgreements, AreOfGroupsThatTakeLongEnough) {
    const auto unit = [](double alone, double network) {
        UnitTimes times;
        times.ms = {alone};
        times.network_ms = network;
        return times;
    };
    const AloneAgreement found =
        agreement({unit(1.1, 1.0), unit(2.0, 2.0), unit(3.3, 3.0), unit(9.0, 0.001)}, 0.02);
    EXPECT_EQ(3U, found.groups);
    EXPECT_NEAR(0.1, found.median_difference, 1e-9);
    EXPECT_EQ(1.0, found.spearman);
}

}  // namespace
}  // namespace emulsion
