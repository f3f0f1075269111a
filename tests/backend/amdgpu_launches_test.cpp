// Whole networks on a library that takes the place of HIP and records its calls: what is launched, with which
// arguments, and what is copied.
#include <gtest/gtest.h>

#include <fstream>
#include <map>

#include "backend/artifact_reader.h"
#include "runtime/tables.h"
#include "tests/backend/amdgpu_network.h"
#include "tests/backend/environment.h"

namespace emulsion {

namespace {

using nlohmann::json;
using test::AmdgpuNetwork;
using test::Environment;

constexpr const char *kChip = "gfx1100";

uint64_t address_at(const std::string &hex, int64_t offset) {
    uint64_t address = 0;
    for (int64_t byte = 8; byte-- > 0;) {  // the lowest first
        address = address << 8 |
                  std::stoul(hex.substr(static_cast<size_t>(2 * (offset + byte)), 2), nullptr, 16);
    }
    return address;
}

// What one network did on the recording library.
class Recording {
public:
    explicit Recording(const std::string &name)
        : network_(name, "gfx906," + std::string(kChip)), program_(network_.launches()) {
        const std::string log = (network_.folder().parent_path() / "hip.log").string();
        const Environment environment(
            Environment::Values{{"EMULSION_HIP_LIBRARY", test::kFakeHip},
                                {"EMULSION_FAKE_HIP_LOG", log},
                                {"EMULSION_FAKE_HIP_CHIP", kChip},
                                {"EMULSION_FAKE_HIP_MEMORY", std::to_string(int64_t{4} << 30)}});
        {
            Artifact artifact(network_.folder().string());
            std::vector<std::vector<std::byte>> inputs, outputs;
            std::vector<const void *> from;
            std::vector<void *> to;
            for (const TensorInfo &input : artifact.inputs()) {
                inputs.emplace_back(static_cast<size_t>(input.bytes()));
            }
            for (const TensorInfo &output : artifact.outputs()) {
                outputs.emplace_back(static_cast<size_t>(output.bytes()));
            }
            for (auto &input : inputs) {
                from.push_back(input.data());
                uploads_.push_back(static_cast<int64_t>(input.size()));
            }
            for (auto &output : outputs) {
                to.push_back(output.data());
                downloads_.push_back(static_cast<int64_t>(output.size()));
            }
            for (int run = 0; run < kRuns; run++) {
                artifact.run(from, to);
            }
        }
        std::ifstream in(log);
        for (std::string line; std::getline(in, line);) {
            calls_.push_back(json::parse(line));
        }
    }

    void expect_launches() const {
        const std::vector<json> launched = of("hipModuleLaunchKernel");
        size_t next = 0;
        for (int run = 0; run < kRuns; run++) {
            for (const json &launch : program_.at("launches")) {
                SCOPED_TRACE(launch.at("label").get<std::string>());
                std::map<std::string, json> kernels;
                for (const json &kernel : network_.kernels(launch.at("unit"), kChip)) {
                    kernels[kernel.at("kernel")] = kernel;
                }
                ASSERT_FALSE(kernels.empty());
                // A unit's kernels are launched once each.
                for (size_t i = 0; i < kernels.size(); i++) {
                    ASSERT_LT(next, launched.size());
                    expect_launch(launch, kernels, launched[next++]);
                }
            }
        }
        EXPECT_EQ(launched.size(), next);
    }

    // Weights and the arena's image once, then every input and output once a run.
    void expect_copies() const {
        std::vector<int64_t> up{weights_bytes(), program_.at("arena_bytes")};
        std::vector<int64_t> down;
        for (int run = 0; run < kRuns; run++) {
            up.insert(up.end(), uploads_.begin(), uploads_.end());
            down.insert(down.end(), downloads_.begin(), downloads_.end());
        }
        EXPECT_EQ(up, copied("host to device"));
        EXPECT_EQ(down, copied("device to host"));
    }

    void expect_all_freed() const {
        int64_t blocks = 0;
        for (const json &call : calls_) {
            EXPECT_EQ(0, call.at("result").get<int>()) << call;
            blocks += call.at("call") == "hipMalloc" ? 1 : call.at("call") == "hipFree" ? -1 : 0;
        }
        EXPECT_EQ(0, blocks);
    }

private:
    static constexpr int kRuns = 2;

    std::vector<json> of(const std::string &name) const {
        std::vector<json> found;
        for (const json &call : calls_) {
            if (call.at("call") == name) {
                found.push_back(call);
            }
        }
        return found;
    }

    std::vector<int64_t> copied(const std::string &direction) const {
        std::vector<int64_t> bytes;
        for (const json &call : of("hipMemcpyAsync")) {
            if (call.at("direction") == direction) {
                bytes.push_back(call.at("bytes"));
            }
        }
        return bytes;
    }

    int64_t weights_bytes() const { return program_.at("weights_bytes"); }

    // Where an argument's elements lie: weights are the first block that is allocated, the arena the second.
    uint64_t address(const json &argument) const {
        const auto blocks = of("hipMalloc");
        const bool weights = argument.at("storage") == "weights";
        const json &block = blocks.at(weights || weights_bytes() == 0 ? 0 : 1);
        return block.at("memory").get<uint64_t>() + argument.at("offset").get<uint64_t>();
    }

    void expect_launch(const json &launch, const std::map<std::string, json> &kernels,
                       const json &call) const {
        const auto known = kernels.find(call.at("kernel"));
        ASSERT_NE(kernels.end(), known) << call;
        const json &kernel = known->second;
        const json &shape = kernel.at("launches").at(0);
        EXPECT_EQ(shape.at("grid"), call.at("grid"));
        EXPECT_EQ(shape.at("block"), call.at("block"));
        const std::string bytes = call.at("arguments");
        // The segment's rounding is the code object's; a launch passes what it has.
        int64_t end = 0;
        for (const json &argument : kernel.at("arguments")) {
            if (argument.at("bytes").get<int64_t>() == 0) {
                continue;
            }
            const int64_t offset = argument.at("offset");
            end = std::max(end, offset + argument.at("bytes").get<int64_t>());
            ASSERT_LE(static_cast<size_t>(2 * end), bytes.size());
            if (argument.at("kind") != "buffer") {
                continue;
            }
            const uint64_t passed = address_at(bytes, offset);
            bool mine = false;
            for (const json &tensor : launch.at("arguments")) {
                mine = mine || address(tensor) == passed;
            }
            EXPECT_TRUE(mine) << argument << " is none of the launch's tensors";
        }
    }

    AmdgpuNetwork network_;
    json program_;
    std::vector<int64_t> uploads_, downloads_;
    std::vector<json> calls_;
};

class AmdgpuLaunches : public testing::TestWithParam<const char *> {};

}  // namespace

TEST_P(AmdgpuLaunches, AreWhatTheKernelsWereCompiledFor) {
    const Recording recording(GetParam());
    recording.expect_launches();
    recording.expect_copies();
    recording.expect_all_freed();
}

INSTANTIATE_TEST_SUITE_P(Tiny, AmdgpuLaunches,
                         testing::Values("tiny_residual", "tiny_concat", "tiny_squeeze_excite"));
INSTANTIATE_TEST_SUITE_P(Slow, AmdgpuLaunches,
                         testing::Values("mobilenet_v1", "efficientnet_b0", "vgg16", "yolo_v4"));

}  // namespace emulsion
