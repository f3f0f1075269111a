// Whole compilations of small networks.

#include "backend/compiler.h"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <fstream>
#include <map>
#include <set>
#include <span>
#include <sstream>
#include <thread>

#include <gtest/gtest.h>
#include <unistd.h>

#include "backend/artifact_reader.h"
#include "backend/files.h"
#include "backend/planned_model.h"
#include "backend/process.h"
#include "frontend/zoo/zoo.h"
#include "fusion/error.h"
#include "tests/backend/folder_files.h"

namespace emulsion {

namespace fs = std::filesystem;
using test::files_of;

namespace {

using Arrays = std::vector<std::vector<std::byte>>;

class Compiler : public ::testing::Test {
protected:
    TemporaryFolder base_{fs::temp_directory_path() / "compile"};

    std::string path(const std::string &name) const { return (base_.path() / name).string(); }

    std::string zoo(const std::string &name) const {
        const std::string file = path(name + ".onnx");
        if (!fs::exists(file)) {
            write_zoo_model(name, file);
        }
        return file;
    }

    CompileOptions options(const std::string &cache = "cache") const {
        CompileOptions o;
        o.cache_folder = path(cache);
        o.jobs = 2;
        return o;
    }
};

// The same numbers for every tensor, small and of both signs.
Arrays some_inputs(const Artifact &artifact) {
    Arrays arrays;
    for (const TensorInfo &info : artifact.inputs()) {
        EXPECT_EQ(DataType::F32, info.type);
        std::vector<std::byte> bytes(static_cast<size_t>(info.bytes()));
        auto *values = reinterpret_cast<float *>(bytes.data());
        for (int64_t i = 0; i < info.element_count(); i++) {
            values[i] = static_cast<float>((i * 2654435761LL >> 8) % 2001 - 1000) / 1000.0F;
        }
        arrays.push_back(std::move(bytes));
    }
    return arrays;
}

Arrays run(Artifact &artifact, const Arrays &inputs,
           const std::function<void(const LaunchEvent &)> &observer = {}) {
    Arrays outputs;
    std::vector<const void *> in;
    std::vector<void *> out;
    for (const auto &a : inputs) {
        in.push_back(a.data());
    }
    for (const TensorInfo &info : artifact.outputs()) {
        outputs.emplace_back(static_cast<size_t>(info.bytes()));
    }
    for (auto &a : outputs) {
        out.push_back(a.data());
    }
    if (observer) {
        artifact.run_observed(in, out, observer);
    } else {
        artifact.run(in, out);
    }
    return outputs;
}

float largest_difference(const Arrays &a, const Arrays &b) {
    float largest = 0.0F;
    for (size_t i = 0; i < a.size(); i++) {
        const auto *x = reinterpret_cast<const float *>(a[i].data());
        const auto *y = reinterpret_cast<const float *>(b[i].data());
        for (size_t k = 0; k < a[i].size() / sizeof(float); k++) {
            largest = std::max(largest, std::abs(x[k] - y[k]));
        }
    }
    return largest;
}

}  // namespace

TEST_F(Compiler, ArtifactsDoNotDependOnJobsOrCache) {
    const std::string model = zoo("tiny_residual");
    CompileOptions one = options("cache1");
    one.jobs = 1;
    const CompileReport cold = compile_model(model, path("a"), one);
    EXPECT_EQ(0, cold.cached_units);
    const CompileReport warm = compile_model(model, path("b"), one);
    EXPECT_EQ(warm.units, warm.cached_units);
    compile_model(model, path("c"), options("cache2"));
    CompileOptions uncached = options();
    uncached.use_cache = false;
    compile_model(model, path("d"), uncached);
    const auto expected = files_of(path("a"));
    EXPECT_EQ(5U, expected.size());
    for (const char *other : {"b", "c", "d"}) {
        EXPECT_EQ(expected, files_of(path(other))) << other;
    }
    EXPECT_FALSE(fs::exists(path("cache")));
    for (const auto &[name, bytes] : expected) {
        EXPECT_EQ(std::string::npos, bytes.find(base_.path().filename().string())) << name;
        EXPECT_EQ(std::string::npos, bytes.find(EMULSION_SOURCE_DIR)) << name;
    }
}

TEST_F(Compiler, ADamagedCacheEntryIsCompiledAgain) {
    const std::string model = zoo("tiny_plain");
    compile_model(model, path("a"), options());
    for (const auto &e : fs::recursive_directory_iterator(path("cache"))) {
        if (e.is_regular_file()) {
            std::string bytes = read_file(e.path());
            bytes[bytes.size() / 2] ^= 1;
            write_file(e.path(), bytes);
        }
    }
    EXPECT_EQ(0, compile_model(model, path("b"), options()).cached_units);
    EXPECT_EQ(files_of(path("a")), files_of(path("b")));
}

TEST_F(Compiler, CheckedBuildsGiveEqualResults) {
    for (const char *network : {"tiny_plain", "tiny_residual"}) {
        const std::string model = zoo(network);
        CompileOptions checked = options();
        checked.plan.checked = true;
        compile_model(model, path("plain"), options());
        compile_model(model, path("checked"), checked);
        Artifact a(path("plain"));
        Artifact b(path("checked"));
        const Arrays inputs = some_inputs(a);
        EXPECT_EQ(run(a, inputs), run(b, inputs)) << network;
    }
}

TEST_F(Compiler, PoliciesAgree) {
    const std::string model = zoo("tiny_residual");
    CompileOptions none = options();
    none.plan.policy = "none";
    compile_model(model, path("fused"), options());
    compile_model(model, path("none"), none);
    Artifact a(path("fused"));
    Artifact b(path("none"));
    const Arrays inputs = some_inputs(a);
    EXPECT_LT(largest_difference(run(a, inputs), run(b, inputs)), 1e-4F);
    EXPECT_GT(b.launch_count(), a.launch_count());
}

TEST_F(Compiler, ResultsDoNotDependOnThreadsOrOnOtherContexts) {
    compile_model(zoo("tiny_residual"), path("net"), options());
    Artifact artifact(path("net"));
    const Arrays inputs = some_inputs(artifact);
    artifact.set_threads(1);
    const Arrays expected = run(artifact, inputs);
    artifact.set_threads(3);
    EXPECT_EQ(3, artifact.threads());
    EXPECT_EQ(expected, run(artifact, inputs));
    std::vector<std::thread> users;
    for (int t = 0; t < 4; t++) {
        users.emplace_back([&] {
            Artifact own(path("net"));
            for (int i = 0; i < 20; i++) {
                EXPECT_EQ(expected, run(own, inputs));
            }
        });
    }
    for (std::thread &user : users) {
        user.join();
    }
}

TEST_F(Compiler, AReopenedNetworkComputesTheSameOnAsManyThreads) {
    compile_model(zoo("tiny_residual"), path("net"), options());
    Artifact artifact(path("net"));
    artifact.set_threads(3);
    const Arrays expected = run(artifact, some_inputs(artifact));
    artifact.release();
    artifact.reopen();
    EXPECT_EQ(3, artifact.threads());
    EXPECT_EQ(expected, run(artifact, some_inputs(artifact)));
    fs::remove(path("net/tiny_residual.weights"));
    EXPECT_THROW(artifact.reopen(), Error);
}

TEST_F(Compiler, AnObserverSeesEveryLaunch) {
    compile_model(zoo("tiny_plain"), path("net"), options());
    Artifact artifact(path("net"));
    int launches = 0;
    std::vector<std::byte> last;
    const Arrays outputs = run(artifact, some_inputs(artifact), [&](const LaunchEvent &event) {
        EXPECT_EQ(launches++, event.launch);
        EXPECT_FALSE(event.label.empty());
        EXPECT_GE(event.seconds, 0.0);
        last = event.dense();
    });
    EXPECT_EQ(artifact.launch_count(), launches);
    EXPECT_EQ(outputs.back(), last);
    EXPECT_THROW(
        run(artifact, some_inputs(artifact), [](const LaunchEvent &) { throw failure("stop"); }),
        Error);
    EXPECT_EQ(outputs, run(artifact, some_inputs(artifact)));
}

TEST_F(Compiler, TheArenaIsLittleLargerThanTheLiveTensors) {
    const CompileReport report = compile_model(zoo("tiny_residual"), path("net"), options());
    const Artifact artifact(path("net"));
    EXPECT_EQ(report.arena_bytes, artifact.arena_bytes());
    EXPECT_EQ(report.live_bytes, artifact.live_bytes());
    EXPECT_GT(report.weights_bytes, 0);
}

TEST_F(Compiler, ACProgramNeedsTheHeaderAndTheLibraryOnly) {
    compile_model(zoo("tiny_plain"), path("net"), options());
    const fs::path source = fs::path(EMULSION_SOURCE_DIR) / "tests/backend/use_artifact.c";
#ifdef EMULSION_SANITIZE
    const std::string sanitizer = "-fsanitize=address";  // which the library's code then needs
#else
    const std::string sanitizer = "-fno-sanitize=all";
#endif
    const ToolResult built =
        run_tool({"cc", "-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror", sanitizer, "-I",
                  path("net"), source.string(), "-o", path("use"), path("net/libtiny_plain.so"),
                  "-Wl,-rpath," + path("net"), "-Wl,--no-undefined"},
                 "gcc");
    ASSERT_EQ(0, built.status) << built.output;
    const ToolResult cpp =
        run_tool({"g++", "-fsyntax-only", "-x", "c++", path("net/tiny_plain.h")}, "g++");
    EXPECT_EQ(0, cpp.status) << cpp.output;

    Artifact artifact(path("net"));
    const Arrays inputs = some_inputs(artifact);
    write_file(path("input"), {reinterpret_cast<const char *>(inputs[0].data()), inputs[0].size()});
    const ToolResult ran =
        run_tool({path("use"), path("net/tiny_plain.weights"), path("input"), path("output")}, "");
    ASSERT_EQ(0, ran.status) << ran.output;
    const Arrays outputs = run(artifact, inputs);
    const std::string got = read_file(path("output"));
    ASSERT_EQ(outputs[0].size(), got.size());
    EXPECT_EQ(0, std::memcmp(outputs[0].data(), got.data(), got.size()));
}

TEST_F(Compiler, TheLibraryExportsTheApiAndNeedsTheCLibraryOnly) {
    compile_model(zoo("tiny_plain"), path("net"), options());
    const ToolResult symbols =
        run_tool({"nm", "-D", "--defined-only", path("net/libtiny_plain.so")}, "binutils");
    std::istringstream lines(symbols.output);
    int count = 0;
    for (std::string line; std::getline(lines, line); count++) {
        EXPECT_NE(std::string::npos, line.find(" tiny_plain_")) << line;
    }
    EXPECT_GT(count, 10);
    const ToolResult needed = run_tool({"readelf", "-d", path("net/libtiny_plain.so")}, "binutils");
    std::istringstream entries(needed.output);
    for (std::string line; std::getline(entries, line);) {
        if (line.find("(NEEDED)") != std::string::npos) {
            EXPECT_TRUE(line.find("[libc.so") != std::string::npos ||
                        line.find("[libm.so") != std::string::npos ||
                        line.find("[libpthread.so") != std::string::npos ||
                        line.find("[libdl.so") != std::string::npos ||
                        line.find("[ld-linux") != std::string::npos)  // variables of threads
                << line;
        }
    }
}

TEST_F(Compiler, TheArchiveIsOneObjectThatDefinesTheApiAndNeedsTheCLibraryOnly) {
    compile_model(zoo("tiny_plain"), path("net"), options());
    const std::string archive = path("net/libtiny_plain.a");
    EXPECT_EQ("tiny_plain.o\n", run_tool({"ar", "t", archive}, "binutils").output);
    const auto global_functions = [](const ToolResult &nm) {
        std::set<std::string> names;
        std::istringstream lines(nm.output);
        for (std::string line; std::getline(lines, line);) {
            const size_t type = line.find(" T ");
            if (type != std::string::npos) {
                names.insert(line.substr(type + 3));
            }
        }
        return names;
    };
    // As the library, which the linker made.
    const auto names =
        global_functions(run_tool({"nm", "--defined-only", "--extern-only", archive}, "binutils"));
    EXPECT_EQ(global_functions(run_tool(
                  {"nm", "-D", "--defined-only", path("net/libtiny_plain.so")}, "binutils")),
              names);
    EXPECT_GT(names.size(), 10U);
    const ToolResult all = run_tool({"nm", "--defined-only", "--extern-only", archive}, "binutils");
    EXPECT_EQ(std::string::npos, all.output.find("halide")) << all.output;
}

TEST_F(Compiler, WeightsOfAnotherModelAreRefused) {
    compile_model(zoo("tiny_plain"), path("net"), options());
    const std::string weights = path("net/tiny_plain.weights");
    const std::string bytes = read_file(weights);
    for (int damage = 0; damage < 5; damage++) {
        std::string damaged = bytes;
        if (damage == 0) {
            damaged[0] ^= 1;
        } else if (damage == 1) {
            damaged[30] ^= 1;  // hash
        } else if (damage == 2) {
            damaged.resize(damaged.size() - 1);
        } else if (damage == 3) {
            damaged[damaged.size() / 2] ^= 1;  // a constant
        } else {
            damaged.clear();
        }
        write_file(weights, damaged);
        try {
            const Artifact artifact(path("net"));
            FAIL() << damage;
        } catch (const Error &error) {
            EXPECT_EQ(2, error.exit_code());
            EXPECT_NE(std::string::npos, std::string(error.what()).find(".weights"));
        }
    }
    EXPECT_THROW(Artifact(path("nothing")), Error);
}

TEST_F(Compiler, EmitsWhatIsAskedFor) {
    CompileOptions o = options();
    o.emit = {"stmt", "schedule", "assembly"};
    const CompileReport report = compile_model(zoo("tiny_plain"), path("net"), o);
    const auto files = files_of(path("net/emit"));
    EXPECT_EQ(static_cast<size_t>(3 * report.units), files.size());
    o.emit = {"poem"};
    EXPECT_THROW(compile_model(zoo("tiny_plain"), path("net"), o), Error);
}

TEST_F(Compiler, StepsAndAModelInMemoryGiveTheSameArtifact) {
    const std::string model = zoo("tiny_residual");
    compile_model(model, path("whole"), options());
    const std::string bytes = read_file(model);
    const PlannedModel planned = planned_model(
        loaded_model({.name = model, .bytes = std::as_bytes(std::span(bytes)), .folder = ""},
                     options()),
        options());
    ASSERT_EQ(1U, planned.networks.size());
    const CompileReport report = compile_planned(planned, path("steps"), options());
    EXPECT_EQ(report.units, report.cached_units);
    EXPECT_EQ(planned.networks[0].plan, report.planned.plan);
    EXPECT_EQ(files_of(path("whole")), files_of(path("steps")));
}

TEST_F(Compiler, EveryUnitThatFailsIsNamed) {
    CompileOptions o = options();
    o.use_cache = false;
    PlannedModel planned = planned_model(loaded_model(zoo("tiny_plain"), o), o);
    std::vector<PlannedLaunch> &launches = planned.networks[0].launches;
    ASSERT_LT(2U, launches.size());
    for (PlannedLaunch *launch : {&launches.front(), &launches.back()}) {
        ASSERT_FALSE(launch->unit.plan.groups[0].members.empty());
        launch->unit.plan.groups[0].members.back().nest.template_name = "no_such_nest";
    }
    try {
        compile_planned(planned, path("net"), o);
        FAIL();
    } catch (const Error &error) {
        const std::string text = error.what();
        EXPECT_NE(std::string::npos, text.find("2 units")) << text;
        EXPECT_LT(text.find(launches.front().label + ": "), text.find(launches.back().label + ": "))
            << text;
    }
    EXPECT_FALSE(fs::exists(path("net")));
}

TEST_F(Compiler, FailuresLeaveNothingBehind) {
    const std::string model = zoo("tiny_plain");
    CompileOptions o = options();
    o.use_cache = false;
    o.worker_program = "/bin/false";
    EXPECT_THROW(compile_model(model, path("out/net"), o), Error);
    EXPECT_FALSE(fs::exists(path("out")));
    o.worker_program.clear();
    o.progress = [](int, int, const std::string &) { std::raise(SIGINT); };
    try {
        compile_model(model, path("out/net"), o);
        FAIL();
    } catch (const Error &error) {
        EXPECT_EQ(1, error.exit_code());
    }
    EXPECT_FALSE(fs::exists(path("out")));
}

}  // namespace emulsion
