// The objects of a network's units: which of them the cache has.
#include "backend/unit_builder.h"

#include <cstdlib>
#include <filesystem>

#include <gtest/gtest.h>

#include "backend/files.h"
#include "backend/process.h"
#include "frontend/zoo/zoo.h"

namespace emulsion {

namespace {

namespace fs = std::filesystem;

class UnitsForChips : public testing::Test {
protected:
    UnitsForChips() { write_zoo_model("tiny_plain", model()); }

    std::string model() const { return (base_.path() / "tiny_plain.onnx").string(); }
    std::string folder() const { return (base_.path() / "network").string(); }

    CompileReport compile() const {
        CompileOptions options;
        options.plan.target = "amdgpu-gfx906";
        options.cache_folder = (base_.path() / "cache").string();
        options.jobs = 2;
        return compile_model(model(), folder(), options);
    }

    // A clang-19 that calls itself another one, and then is the real one.
    fs::path renamed_clang() const {
        const fs::path bin = base_.path() / "bin";
        fs::create_directory(bin);
        const std::string real = run_tool({"sh", "-c", "command -v clang-19"}, "clang-19").output;
        write_file(bin / "clang-19", "#!/bin/sh\n[ \"$1\" = --version ] && echo renamed && exit 0\n"
                                     "exec " +
                                         real.substr(0, real.find('\n')) + " \"$@\"\n");
        fs::permissions(bin / "clang-19", fs::perms::owner_all);
        return bin;
    }

    TemporaryFolder base_{fs::temp_directory_path() / "unit-builder"};
};

}  // namespace

TEST_F(UnitsForChips, AreKeptByTheDeviceCompilerThatMadeThem) {
    const CompileReport first = compile();
    const std::string library = read_file(fs::path(folder()) / "libtiny_plain.so");
    EXPECT_EQ(0, first.cached_units);
    EXPECT_EQ(first.units, compile().cached_units);
    const std::string path = std::getenv("PATH");
    setenv("PATH", (renamed_clang().string() + ":" + path).c_str(), 1);
    const CompileReport other = compile();
    EXPECT_EQ(other.units, compile().cached_units);
    setenv("PATH", path.c_str(), 1);
    EXPECT_EQ(0, other.cached_units);
    EXPECT_EQ(library, read_file(fs::path(folder()) / "libtiny_plain.so"));
}

TEST_F(UnitsForChips, AreCountedAsShrunkWhereverTheyComeFrom) {
    const CompileReport first = compile();
    const CompileReport second = compile();
    EXPECT_EQ(second.units, second.cached_units);
    EXPECT_LT(0, first.shrunk_units) << "another network is needed to show it";
    EXPECT_EQ(first.shrunk_units, second.shrunk_units);
}

}  // namespace emulsion
