// Artifacts inside of other people's programs: two networks and the user's own Halide code, linked
// either way.

#include <dlfcn.h>

#include <filesystem>
#include <optional>

#include <gtest/gtest.h>

#include "backend/compiler.h"
#include "backend/files.h"
#include "backend/process.h"
#include "frontend/zoo/zoo.h"

namespace emulsion {

namespace fs = std::filesystem;

namespace {

class Embedding : public ::testing::Test {
protected:
    static void SetUpTestSuite() {
        base_.emplace(fs::temp_directory_path() / "embed");
        for (const char *name : {"tiny_plain", "tiny_residual"}) {
            const std::string model = path(std::string(name) + ".onnx");
            write_zoo_model(name, model);
            CompileOptions options;
            options.cache_folder = path("cache");
            options.jobs = 2;
            compile_model(model, path(name), options);
        }
    }
    static void TearDownTestSuite() { base_.reset(); }

    static std::string path(const std::string &name) { return (base_->path() / name).string(); }

    // Builds programs/two_models.cpp with the networks' libraries `networks` and runs it.
    static void build_and_run(const std::vector<std::string> &networks) {
        const fs::path source =
            fs::path(EMULSION_SOURCE_DIR) / "tests/backend/programs/two_models.cpp";
        const std::string binary = EMULSION_BINARY_DIR;
        std::vector<std::string> command = {"g++",
                                            "-std=c++17",
                                            "-O1",
                                            "-Wall",
                                            "-Wextra",
                                            "-Werror",
                                            "-I" + path("tiny_plain"),
                                            "-I" + path("tiny_residual"),
                                            "-I" + binary + "/generators",
                                            "-isystem",
                                            EMULSION_HALIDE_INCLUDE,
                                            source.string(),
                                            "-o",
                                            path("program")};
#ifdef EMULSION_SANITIZE
        command.emplace_back("-fsanitize=address");  // which the networks' code then needs
#endif
        command.insert(command.end(), networks.begin(), networks.end());
        command.insert(command.end(), {binary + "/lib/libconvolution_3x3.a",
                                       binary + "/lib/libconvolution_3x3.runtime.a",
                                       "-Wl,--no-undefined", "-lm", "-lpthread", "-ldl"});
        const ToolResult built = run_tool(command, "g++");
        ASSERT_EQ(0, built.status) << built.output;
        const ToolResult ran = run_tool({path("program"), path("tiny_plain/tiny_plain.weights"),
                                         path("tiny_residual/tiny_residual.weights")},
                                        "");
        EXPECT_EQ(0, ran.status) << ran.output;
    }

private:
    static inline std::optional<TemporaryFolder> base_;
};

}  // namespace

TEST_F(Embedding, TwoStaticNetworksAndHalideCodeRunConcurrentlyAsTheyRunAlone) {
    build_and_run({path("tiny_plain/libtiny_plain.a"), path("tiny_residual/libtiny_residual.a")});
}

TEST_F(Embedding, TwoSharedNetworksAndHalideCodeRunConcurrentlyAsTheyRunAlone) {
    build_and_run({path("tiny_plain/libtiny_plain.so"), path("tiny_residual/libtiny_residual.so"),
                   "-Wl,-rpath," + path("tiny_plain"), "-Wl,-rpath," + path("tiny_residual")});
}

// The loader keeps a page or less for variables of threads that libraries want at fixed places, for all of them.
TEST_F(Embedding, HundredsOfNetworksAreOpenInOneProcess) {
    constexpr int kNetworks = 300;
    std::vector<void *> opened;
    for (int i = 0; i < kNetworks; i++) {
        const std::string copy = path("copy" + std::to_string(i) + ".so");
        fs::copy_file(path("tiny_plain/libtiny_plain.so"), copy);
        opened.push_back(dlopen(copy.c_str(), RTLD_NOW | RTLD_LOCAL));
        ASSERT_NE(nullptr, opened.back()) << "network " << i << ": " << dlerror();
    }
    for (void *library : opened) {
        dlclose(library);
    }
}

}  // namespace emulsion
