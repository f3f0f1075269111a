// Networks for a GPU that were compiled for a CPU as well: without a GPU that they can use they run there.
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>

#include <nlohmann/json.hpp>

#include "backend/artifact_reader.h"
#include "backend/compiler.h"
#include "backend/files.h"
#include "frontend/zoo/zoo.h"
#include "fusion/error.h"
#include "tests/backend/environment.h"
#include "tests/fusion/documented_json.h"

namespace emulsion {

namespace {

namespace fs = std::filesystem;

using test::Environment;

class Fallback : public testing::Test {
protected:
    std::string compiled_for(const std::string &target, const MachineConstants &machine = {}) {
        const std::string model = (base_.path() / "tiny_residual.onnx").string();
        if (!fs::exists(model)) {
            write_zoo_model("tiny_residual", model);
        }
        CompileOptions options;
        options.plan.target = target;
        options.plan.machine = machine;
        options.cache_folder = (base_.path() / "cache").string();
        options.jobs = 2;
        const std::string folder = (base_.path() / std::to_string(compiled_++)).string();
        compile_model(model, folder, options);
        return folder;
    }

    static nlohmann::json manifest(const std::string &folder) {
        const auto manifest = nlohmann::json::parse(read_file(fs::path(folder) / "manifest.json"));
        EXPECT_EQ("", undocumented(manifest));
        return manifest;
    }

    static std::vector<std::byte> run(const std::string &folder) {
        Artifact artifact(folder);
        std::vector<float> input(static_cast<size_t>(artifact.inputs().at(0).element_count()));
        for (size_t i = 0; i < input.size(); i++) {
            input[i] = static_cast<float>(i % 17) / 17.0F;
        }
        std::vector<std::byte> output(static_cast<size_t>(artifact.outputs().at(0).bytes()));
        const void *from = input.data();
        void *to = output.data();
        artifact.run({&from, 1}, {&to, 1});
        return output;
    }

private:
    TemporaryFolder base_{fs::temp_directory_path() / "fallback"};
    int compiled_ = 0;
};

}  // namespace

TEST_F(Fallback, WithoutADriverTheCpuComputesWhatItsOwnArtifactDoes) {
    const std::string both = compiled_for("amdgpu-gfx906,gfx1100,host");
    const std::string cpu = compiled_for("host");
    const Environment nothing(
        Environment::Values{{"EMULSION_HIP_LIBRARY", "/there/is/no/such/library.so"}});
    EXPECT_EQ(run(cpu), run(both));
}

TEST_F(Fallback, TheManifestHasBothNetworks) {
    const nlohmann::json both = manifest(compiled_for("amdgpu-gfx906,host"));
    const nlohmann::json cpu = manifest(compiled_for("host"));
    const nlohmann::json gpu = manifest(compiled_for("amdgpu-gfx906"));
    for (const char *key :
         {"target", "launches", "arena_bytes", "live_bytes", "operators", "plan", "plan_hash"}) {
        EXPECT_EQ(cpu.at(key), both.at("fallback").at(key)) << key;
        if (std::string(key) != "target") {
            EXPECT_EQ(gpu.at(key), both.at(key)) << key;
        }
    }
    EXPECT_FALSE(gpu.contains("fallback"));
    EXPECT_FALSE(cpu.contains("fallback"));
}

TEST_F(Fallback, AMachinesConstantsAreTheCpus) {
    const MachineConstants arithmetic_is_dear = {{"launch_cycles", 0.0},
                                                 {"region_cycles", 0.0},
                                                 {"shared_bytes_per_cycle", 1e6},
                                                 {"memory_bytes_per_cycle", 1e6}};
    const nlohmann::json both = manifest(compiled_for("amdgpu-gfx906,host", arithmetic_is_dear));
    const nlohmann::json typical = manifest(compiled_for("amdgpu-gfx906,host"));
    EXPECT_EQ(typical.at("plan"), both.at("plan"));
    EXPECT_NE(typical.at("fallback").at("plan"), both.at("fallback").at("plan"));
    EXPECT_EQ(manifest(compiled_for("host", arithmetic_is_dear)).at("plan"),
              both.at("fallback").at("plan"));
}

TEST_F(Fallback, TheFiguresAreThoseOfTheNetworkThatRuns) {
    const std::string both = compiled_for("amdgpu-gfx906,host");
    const Artifact cpu(compiled_for("host"));
    EXPECT_FALSE(cpu.fell_back());
    {
        const Environment nothing(
            Environment::Values{{"EMULSION_HIP_LIBRARY", "/there/is/no/such/library.so"}});
        const Artifact artifact(both);
        EXPECT_TRUE(artifact.fell_back());
        EXPECT_EQ(cpu.launch_count(), artifact.launch_count());
        EXPECT_EQ(cpu.arena_bytes(), artifact.arena_bytes());
        EXPECT_EQ(cpu.live_bytes(), artifact.live_bytes());
    }
    const Environment gpu(Environment::Values{{"EMULSION_HIP_LIBRARY", test::kFakeHip},
                                              {"EMULSION_FAKE_HIP_CHIP", "gfx906"}});
    const Artifact artifact(both);
    EXPECT_FALSE(artifact.fell_back());
    EXPECT_NE(cpu.arena_bytes(), artifact.arena_bytes());
}

TEST_F(Fallback, AGpuThatThereIsNoCodeForIsNone) {
    const std::string both = compiled_for("amdgpu-gfx906,host");
    const std::string gpu = compiled_for("amdgpu-gfx906");
    const Environment other(Environment::Values{{"EMULSION_HIP_LIBRARY", test::kFakeHip},
                                                {"EMULSION_FAKE_HIP_CHIP", "gfx1031"}});
    EXPECT_EQ(run(compiled_for("host")), run(both));
    try {
        run(gpu);
        FAIL();
    } catch (const Error &e) {
        EXPECT_EQ("the code is for gfx906; this machine's GPU is gfx1031", e.message());
    }
}

TEST_F(Fallback, AGpuIsUsedWhereThereIsOne) {
    const std::string both = compiled_for("amdgpu-gfx906,host");
    const std::string log = both + ".log";
    const Environment gpu(Environment::Values{{"EMULSION_HIP_LIBRARY", test::kFakeHip},
                                              {"EMULSION_FAKE_HIP_LOG", log},
                                              {"EMULSION_FAKE_HIP_CHIP", "gfx906"}});
    run(both);
    EXPECT_NE(std::string::npos, read_file(log).find("hipModuleLaunchKernel"));
}

TEST_F(Fallback, EqualInputsGiveEqualBytes) {
    const std::string a = compiled_for("amdgpu-gfx906,host");
    const std::string b = compiled_for("amdgpu-gfx906,host");
    for (const char *file :
         {"libtiny_residual.so", "libtiny_residual.a", "tiny_residual.weights", "manifest.json"}) {
        EXPECT_EQ(read_file(fs::path(a) / file), read_file(fs::path(b) / file)) << file;
    }
}

}  // namespace emulsion
