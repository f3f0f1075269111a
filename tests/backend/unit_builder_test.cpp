// The objects of a network's units: which of them the cache has.
#include "backend/unit_builder.h"

#include <cstdlib>
#include <filesystem>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "backend/files.h"
#include "backend/manifest.h"
#include "backend/planned_model.h"
#include "frontend/zoo/zoo.h"
#include "other_clang.h"

namespace emulsion {

namespace {

namespace fs = std::filesystem;

class UnitsForChips : public testing::Test {
protected:
    UnitsForChips() { write_zoo_model("tiny_plain", model()); }

    std::string model() const { return (base_.path() / "tiny_plain.onnx").string(); }
    std::string folder() const { return (base_.path() / "network").string(); }

    CompileOptions options() const {
        CompileOptions options;
        options.plan.target = "amdgpu-gfx906";
        options.cache_folder = (base_.path() / "cache").string();
        options.jobs = 2;
        return options;
    }

    CompileReport compile() const { return compile_model(model(), folder(), options()); }

    fs::path bin() const { return base_.path() / "bin"; }

    TemporaryFolder base_{fs::temp_directory_path() / "unit-builder"};
};

// Puts a folder before all others in PATH.
class FirstInPath {
public:
    explicit FirstInPath(const fs::path &folder) : before_(std::getenv("PATH")) {
        setenv("PATH", (folder.string() + ":" + before_).c_str(), 1);
    }
    FirstInPath(const FirstInPath &) = delete;
    FirstInPath &operator=(const FirstInPath &) = delete;
    ~FirstInPath() { setenv("PATH", before_.c_str(), 1); }

private:
    std::string before_;
};

}  // namespace

TEST_F(UnitsForChips, AreKeptByTheDeviceCompilerThatMadeThem) {
    const CompileReport first = compile();
    const std::string library = read_file(fs::path(folder()) / "libtiny_plain.so");
    EXPECT_EQ(0, first.cached_units);
    EXPECT_EQ(first.units, compile().cached_units);
    test::renamed_clang(bin());
    const FirstInPath path(bin());
    EXPECT_EQ(0, compile().cached_units);
    EXPECT_EQ(first.units, compile().cached_units);
    EXPECT_EQ(library, read_file(fs::path(folder()) / "libtiny_plain.so"));
}

TEST_F(UnitsForChips, AreCountedAsShrunkWhereverTheyComeFrom) {
    test::clang_with_attribute(bin(), "amdgpu_num_vgpr(64)");
    const FirstInPath path(bin());
    const CompileReport first = compile();
    const CompileReport second = compile();
    EXPECT_EQ(second.units, second.cached_units);
    EXPECT_LT(0, first.shrunk_units);
    EXPECT_EQ(first.shrunk_units, second.shrunk_units);
}

TEST_F(UnitsForChips, AreInThePlanAsTheyWereCompiled) {
    const Plan made =
        planned_model(loaded_model(model(), options()), options()).networks.at(0).plan;
    test::clang_with_attribute(bin(), "amdgpu_num_vgpr(64)");
    const FirstInPath path(bin());
    const CompileReport shrunk = compile();
    ASSERT_LT(0, shrunk.shrunk_units);
    EXPECT_NE(made, shrunk.planned.plan);
    EXPECT_EQ(shrunk.planned.plan, compile().planned.plan) << "as the cache says";
    const auto manifest = nlohmann::json::parse(read_file(fs::path(folder()) / "manifest.json"));
    EXPECT_EQ(nlohmann::json::parse(to_json(shrunk.planned.plan)), manifest.at("plan"));
    EXPECT_EQ(plan_hash(shrunk.planned.plan), manifest.at("plan_hash"));
}

}  // namespace emulsion
