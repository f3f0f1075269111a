// Schedules as source, as users keep them: compiled as they are printed, they schedule an equal pipeline of which nobody
// has planned anything the same way.
#include <gtest/gtest.h>

#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>

#include <fmt/format.h>

#include "autoscheduler/schedule_source.h"
#include "autoscheduler/user_schedule.h"
#include "frontend/lower/plugin.h"
#include "tests/graphs/forked.h"
#include "tests/pipelines/named_pipelines.h"
#include "tests/pipelines/pipeline_kind.h"
#include "tests/pipelines/pipeline_values.h"
#include "tests/pipelines/random_pipeline.h"

namespace emulsion::test {

namespace {

using Halide::Pipeline;

constexpr double kMostSeconds = 300.0;
constexpr PipelineSize kSize{.most_stages = 16, .most_elements = 4000};

Halide::Target target() { return Halide::get_jit_target_from_environment(); }

// Names that aren't C++, or mean something else where a schedule stands.
RandomPipeline with_odd_names() {
    const Halide::Var x("x"), lanes("lanes"), odd("y of-the $image");
    Halide::Func table("int"), x_too("x"), blank("3 d"), target_too("target");
    Halide::RDom r(0, 5, "for");
    table(x) = x * 3;
    x_too(x, lanes) = table(x & 15) + lanes;
    blank(x, odd) = 0;
    blank(x, odd) += x_too(x + r, odd) + r;
    target_too(x, odd) = blank(x, odd) + blank(x, odd + 1);
    target_too.set_estimates({{0, 300}, {0, 40}});
    RandomPipeline made;
    made.outputs = {target_too};
    made.extents = {{300, 40}};
    return made;
}

// A table that tasks count in, each in its own.
RandomPipeline large_histogram() {
    const Halide::Var x("x"), y("y"), bin("bin");
    Halide::Func image("image"), counts("counts"), looked_up("looked_up");
    const Halide::RDom r(0, 700, 0, 900, "r");
    image(x, y) = (x * 31 + y * 17) % 256;
    counts(bin) = 0;
    counts(Halide::clamp(image(r.x, r.y), 0, 255)) += 1;
    looked_up(x) = counts(x) + x;
    looked_up.set_estimates({{0, 256}});
    RandomPipeline made;
    made.outputs = {looked_up};
    made.extents = {{256}};
    return made;
}

// Colours inside follow those of the output.
RandomPipeline colours() {
    const Halide::Var x("x"), y("y"), c("c");
    Halide::Func colour("colour"), bright("bright"), blurred("blurred"), out("out");
    colour(x, y, c) = Halide::mux(c, {x * 7 % 256, y * 11 % 256, (x + y) * 13 % 256});
    const auto row = [&](int r, int g, int b) {
        return (r * colour(x, y, 0) + g * colour(x, y, 1) + b * colour(x, y, 2)) / 256;
    };
    bright(x, y, c) = Halide::mux(c, {row(300, -20, -24), row(-31, 299, -12), row(9, -70, 317)});
    blurred(x, y, c) = bright(x, y - 1, c) * 3 + bright(x, y, c) * 5 + bright(x, y + 1, c) * 3;
    out(x, y, c) = blurred(x - 1, y, c) + 2 * blurred(x, y, c) + blurred(x + 1, y, c);
    out.set_estimates({{0, 700}, {0, 500}, {0, 3}});
    RandomPipeline made;
    made.outputs = {out};
    made.extents = {{700, 500, 3}};
    return made;
}

RandomPipeline network() {
    RandomPipeline made;
    made.outputs = convolutions({"a_", "b_", "c_", "d_"}).outputs;
    return made;
}

// Others have seeds.
constexpr uint64_t kOddNames = 0, kHistogram = (uint64_t{1} << 32) - 1,
                   kColours = (uint64_t{1} << 32) - 2, kNetwork = uint64_t{1} << 32;

RandomPipeline pipeline_of(uint64_t seed) {
    switch (seed) {
    case kOddNames: return with_odd_names();
    case kHistogram: return large_histogram();
    case kColours: return colours();
    case kNetwork: return network();
    default: return random_pipeline(seed, kSize);
    }
}

// Every pipeline is made in a process of its own, so that its Funcs have the same names.
std::string in_a_process(const std::function<std::string()> &work) {
    const ForkedEnd end = Forked(
                              [&](const Forked::Write &write) {
                                  try {
                                      write(work());
                                  } catch (const Halide::Error &error) {
                                      throw std::runtime_error(error.what());  // not to be missed
                                  }
                              },
                              kMostSeconds)
                              .wait();
    EXPECT_TRUE(!end.timed_out && end.signal == 0 && end.status == 0) << end.noise;
    return end.results;
}

std::string planned_source(uint64_t seed) {
    return in_a_process([=] {
        Halide::load_plugin(gao2025_path());
        const RandomPipeline made = pipeline_of(seed);
        return Pipeline(made.outputs)
            .apply_autoscheduler(target(), {"Gao2025", {{"parallelism", "2"}}})
            .schedule_source;
    });
}

// What Halide writes around a schedule's source for generators.
std::string function_of(uint64_t seed, const std::string &source) {
    return fmt::format("extern \"C\" void apply_schedule_{}(::Halide::Pipeline &pipeline) {{\n"
                       "using ::Halide::Func;\nusing ::Halide::MemoryType;\nusing ::Halide::RVar;\n"
                       "using ::Halide::TailStrategy;\nusing ::Halide::Var;\n{}}}\n",
                       seed, source);
}

class Folder {
public:
    Folder()
        : path_(std::filesystem::temp_directory_path() /
                ("kept_schedules_" + std::to_string(getpid()))) {
        std::filesystem::create_directories(path_);
    }
    ~Folder() { std::filesystem::remove_all(path_); }
    Folder(const Folder &) = delete;
    Folder &operator=(const Folder &) = delete;
    std::filesystem::path operator/(const std::string &name) const { return path_ / name; }

private:
    std::filesystem::path path_;
};

// A library of functions.
void compile(const std::string &text, const std::filesystem::path &source,
             const std::filesystem::path &library) {
    std::ofstream(source) << text;
    const std::string command = fmt::format(
        "\"{}\" -std=c++17 -O0 -Wall -Wno-unused-parameter -Werror -fPIC -shared -I\"{}\" \"{}\" -o \"{}\"",
        EMULSION_CXX_COMPILER, EMULSION_HALIDE_INCLUDE, source.string(), library.string());
    ASSERT_EQ(0, std::system(command.c_str())) << command;
}

using Apply = void (*)(Pipeline &);

// What a printed schedule makes of a pipeline, as source again; "differs: ..." where that computes something else.
std::string applied_source(uint64_t seed, const std::filesystem::path &library) {
    return in_a_process([=] {
        void *loaded = dlopen(library.c_str(), RTLD_NOW);
        const auto name = "apply_schedule_" + std::to_string(seed);
        const auto apply =
            loaded != nullptr ? reinterpret_cast<Apply>(dlsym(loaded, name.c_str())) : nullptr;
        if (apply == nullptr) {
            return std::string(dlerror());
        }
        const RandomPipeline made = pipeline_of(seed);
        const std::set<std::string> kept = with_loops_of_users(made.outputs);
        Pipeline pipeline(made.outputs);
        apply(pipeline);
        return schedule_source(made.outputs, {}, kept);
    });
}

std::string difference_from_stored(uint64_t seed, const std::filesystem::path &library) {
    return in_a_process([=] {
        const RandomPipeline made = pipeline_of(seed);
        Pipeline pipeline(made.outputs);
        void *loaded = dlopen(library.c_str(), RTLD_NOW);
        const auto name = "apply_schedule_" + std::to_string(seed);
        reinterpret_cast<Apply>(dlsym(loaded, name.c_str()))(pipeline);
        const Buffers ours = computed(made, target());
        const RandomPipeline stored = pipeline_of(seed);
        return difference(computed_stored(stored, target()), ours);
    });
}

// Of decisions, which nobody made of a pipeline that a printed schedule is applied to.
std::string without_comments(const std::string &source) {
    return std::regex_replace(source, std::regex("// .*\n"), "");
}

// Pipelines that have all kinds of stages together.
std::vector<uint64_t> sample(uint64_t first, size_t least) {
    std::vector<uint64_t> seeds{kOddNames, kHistogram, kNetwork};
    std::set<std::string> kinds;
    for (uint64_t seed = first; kinds.size() < all_pipeline_kinds().size() || seeds.size() < least;
         seed++) {
        seeds.push_back(seed);
        for (const auto &[kind, count] : random_pipeline(seed, kSize).kinds) {
            kinds.insert(kind);
        }
    }
    return seeds;
}

// A line above the calls of every Func, and one for every other that is inlined.
void expect_reasons(const std::string &source) {
    const auto lines = [&](const std::string &pattern) {
        const std::regex line(pattern);
        return std::distance(std::sregex_iterator(source.begin(), source.end(), line), {});
    };
    EXPECT_GE(lines("(^|\n)// "), lines("(^|\n)Func \\w+ = pipeline.get_func")) << source;
}

void expect_kept(const std::vector<uint64_t> &seeds, size_t computed_ones) {
    std::map<uint64_t, std::string> sources;
    std::string text = "#include \"Halide.h\"\n";
    for (const uint64_t seed : seeds) {
        sources[seed] = planned_source(seed);
        text += function_of(seed, sources[seed]);
    }
    const Folder folder;
    compile(text, folder / "schedules.cpp", folder / "schedules.so");
    if (testing::Test::HasFatalFailure()) {
        return;
    }
    for (const auto &[seed, source] : sources) {
        EXPECT_NE(std::string::npos, source.find("pipeline.get_func(")) << source;
        expect_reasons(source);
        EXPECT_EQ(without_comments(source), applied_source(seed, folder / "schedules.so"))
            << "seed " << seed;
        if (computed_ones > 0) {
            computed_ones--;
            EXPECT_EQ("", difference_from_stored(seed, folder / "schedules.so")) << "seed " << seed;
        }
    }
}

}  // namespace

TEST(SlowKeptSchedules, CompileAndScheduleAnEqualPipelineTheSame) {
    expect_kept(sample(1, 61), 13);
}

TEST(KeptSchedules, ShareHistograms) {
    EXPECT_NE(std::string::npos, planned_source(kHistogram).find(".rfactor(shares"));
    expect_kept({kHistogram}, 1);
}

TEST(KeptSchedules, UnrollChannelsInside) {
    const std::string source = planned_source(kColours);
    EXPECT_TRUE(std::regex_search(
        source, std::regex("(bright|blurred)\\s+\\.specialize\\(out\\.output_buffers")))
        << source;
    expect_kept({kColours}, 1);
}

TEST(KeptSchedules, CompileAndScheduleAnEqualPipelineTheSame) { expect_kept(sample(500, 5), 2); }

}  // namespace emulsion::test
