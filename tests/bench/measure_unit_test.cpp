// Units by themselves: what they are called with, what they compute, and the figures about them.
#include "bench/measure_unit.h"

#include <algorithm>
#include <cstring>

#include <gtest/gtest.h>

#include "backend/planned_model.h"
#include "backend/unit_library.h"
#include "bench/guarded_memory.h"
#include "bench/huge_memory.h"
#include "bench/unit_buffers.h"
#include "bench/whole_network.h"
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
    std::vector<InputSource> sources(unit.inputs.size());
    sources[0].made_by_unit = true;
    const UnitBytes bytes = bytes_of(unit, sources);
    HugeMemory values(bytes.values), originals(bytes.originals), cold(bytes.cold);
    UnitBuffers buffers(unit, sources, 1, values, originals, cold);
    for (const UnitBuffers::Copy &copy : buffers.copies()) {
        std::memcpy(copy.to.data(), copy.from.data(), copy.to.size());
    }
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
    EXPECT_EQ(1U, buffers.copies().size());
}

TEST(UnitBuffers, HaveTheNetworksWeights) {
    const PlannedNetwork network = small_network();
    const Unit &unit = padded_unit(network);
    Tensor weight = unit.graph.tensor(unit.inputs[1].tensor);
    std::vector<float> data(static_cast<size_t>(element_count(weight.extents())), 2.5F);
    const auto *bytes = reinterpret_cast<const std::byte *>(data.data());
    weight.constant = make_constant({bytes, bytes + data.size() * sizeof(float)});
    std::vector<InputSource> sources(unit.inputs.size());
    sources[1].weight = &weight;
    const UnitBytes room = bytes_of(unit, sources);
    HugeMemory values(room.values), originals(room.originals), cold(room.cold);
    UnitBuffers buffers(unit, sources, 1, values, originals, cold);
    const auto *buffer = static_cast<const halide_buffer_t *>(buffers.arguments()[1]);
    EXPECT_EQ(2.5F, *reinterpret_cast<const float *>(buffer->host));
}

// Compiles with the built program.
CompileOptions options_for(const std::string &target, int threads) {
    CompileOptions options;
    options.use_cache = false;
    options.worker_program = EMULSION_BINARY_DIR "/bin/emulsion";
    options.plan.target = target;
    options.plan.threads = threads;
    return options;
}

TEST(UnitLibraries, CopyEveryByteWhateverTheSize) {
    const PlannedNetwork network = small_network();
    const UnitLibrary library(network, options_for(network.target, 3));
    for (const size_t size : {size_t{1}, size_t{63}, size_t{64}, size_t{65}, size_t{4099}}) {
        std::vector<std::byte> from(size, std::byte{7}), to(size + 1, std::byte{0});
        library.copy(std::span(to).first(size), from);
        EXPECT_TRUE(std::equal(from.begin(), from.end(), to.begin()));
        EXPECT_EQ(std::byte{0}, to.back());
    }
}

TEST(WholeNetworks, TimeLaunchesWithoutTheirHalos) {
    const auto folder = make_scratch_folder();
    const std::string path = folder->path() / "model.onnx";
    write_zoo_model("tiny_residual", path);
    const CompileOptions options = options_for("x86-64-linux", 1);
    const PlannedModel planned = planned_model(loaded_model(path, options), options);
    WholeNetwork whole(planned, options);
    whole.run();
    whole.run();
    bool any_fill = false;
    for (size_t i = 0; i < planned.networks[0].launches.size(); i++) {
        const Layout &layout = planned.networks[0].launches[i].unit.output.layout;
        EXPECT_EQ(2U, whole.launch_ms(i).size());
        EXPECT_LT(0.0, whole.launch_ms(i)[0]);
        EXPECT_LE(0.0, whole.fill_ms(i));
        EXPECT_TRUE(layout.has_halo() || whole.fill_ms(i) == 0.0) << i;
        any_fill = any_fill || whole.fill_ms(i) > 0.0;
    }
    EXPECT_TRUE(any_fill);
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
