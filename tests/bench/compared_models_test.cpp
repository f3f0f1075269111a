// Models that a command compares: which of them are compiled together, and what they become.
#include "bench/compared_models.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "backend/temporary_folder.h"
#include "bench/network_inputs.h"
#include "bench/progress.h"
#include "frontend/zoo/zoo.h"
#include "fusion/error.h"

namespace emulsion::test {
namespace {

namespace fs = std::filesystem;

class Compared : public testing::Test {
protected:
    std::string zoo(const std::string &name) const {
        const std::string file = (base_.path() / (name + ".onnx")).string();
        write_zoo_model(name, file);
        return file;
    }

    CompileOptions options() {
        CompileOptions options;
        options.use_cache = false;
        options.jobs = 2;
        // "emulsion worker", as the tests know nothing of it
        options.worker_program = EMULSION_BINARY_DIR "/bin/emulsion";
        options.progress = [this](int, int total, const std::string &label) {
            rounds_ += label.empty() ? 1 : 0;  // before the first unit
            total_ = total;
        };
        return options;
    }

    TemporaryFolder base_{fs::temp_directory_path() / "compared"};
    Progress progress_;
    int rounds_ = 0, total_ = 0;  // pools; units of the last one
};

}  // namespace

TEST_F(Compared, AreCompiledTogetherAndRunAsTheyDoByThemselves) {
    ComparedModels compared({zoo("tiny_residual"), zoo("tiny_plain")}, {"none", "gao2025"},
                            options(), progress_);
    EXPECT_EQ(0U, compared.compiled());
    for (size_t file = 0; file < 2; file++) {
        std::vector<std::vector<Array>> results;
        for (size_t policy = 0; policy < 2; policy++) {
            CompileReport report;
            LoadedNetwork network = compared.open(file, policy, &report);
            EXPECT_EQ(2U, compared.compiled());
            EXPECT_EQ(compared.policies()[policy], network.facts().policy);
            EXPECT_EQ(compared.policies()[policy], report.planned.plan.policy);
            const auto inputs = NetworkInputs(network.artifact(), {}, 1).make(0);
            results.push_back(network.run(inputs));
            CompileOptions alone = options();
            alone.plan.policy = compared.policies()[policy];
            LoadedNetwork other = LoadedNetwork::compile(compared.files()[file], alone);
            const std::vector<Array> expected = other.run(inputs);
            ASSERT_EQ(expected.size(), results.back().size());
            EXPECT_EQ(expected[0].bytes, results.back()[0].bytes);
        }
    }
}

TEST_F(Compared, AreOnePoolOfWorkersUntilTheirWeightsAreTooMany) {
    const std::vector<std::string> files = {zoo("tiny_residual"), zoo("tiny_plain")};
    ComparedModels together(files, {"none", "tvm", "gao2025"}, options(), progress_);
    together.open(0, 0);
    EXPECT_EQ(1, rounds_);
    together.open(1, 2);
    EXPECT_EQ(1, rounds_);
    const int all = total_;
    ComparedModels apart(files, {"none", "tvm", "gao2025"}, options(), progress_, 1);
    apart.open(0, 0);
    EXPECT_EQ(1U, apart.compiled());
    EXPECT_LT(total_, all);
    apart.open(1, 0);
    EXPECT_EQ(2U, apart.compiled());
    EXPECT_EQ(3, rounds_);
}

TEST_F(Compared, RefuseCompiledFolders) {
    EXPECT_THROW(ComparedModels({base_.path().string()}, {"none"}, options(), progress_), Error);
}

TEST_F(Compared, LeaveNothingBehind) {
    const fs::path temporary = base_.path() / "temporary";
    fs::create_directory(temporary);
    setenv("TMPDIR", temporary.c_str(), 1);
    {
        ComparedModels compared({zoo("tiny_plain")}, {"none"}, options(), progress_);
        compared.open(0, 0);
        EXPECT_FALSE(fs::is_empty(temporary));
    }
    unsetenv("TMPDIR");
    EXPECT_TRUE(fs::is_empty(temporary));
}

}  // namespace emulsion::test
