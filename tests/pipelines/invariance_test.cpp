// A schedule follows from what computes what: not from names, nor from the order in which Funcs were made, nor from
// outputs that have nothing to do with it.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <regex>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "frontend/lower/plugin.h"
#include "tests/graphs/forked.h"
#include "tests/pipelines/named_pipelines.h"
#include "tests/pipelines/random_pipeline.h"

namespace emulsion::test {

namespace {

using Halide::Func;
using Halide::Var;

constexpr PipelineSize kSize{.most_stages = 24, .most_elements = 12'000};

// The schedule under the other names, without the numbers of Funcs, which depend on names in Halide.
std::string schedule_of(const std::function<NamedPipeline()> &make) {
    const ForkedEnd end =
        Forked(
            [&](const Forked::Write &write) {
                Halide::load_plugin(gao2025_path());
                const NamedPipeline made = make();
                std::string source =
                    Halide::Pipeline(made.outputs)
                        .apply_autoscheduler(Halide::Target("x86-64-linux-avx-avx2-f16c-fma-sse41"),
                                             {"Gao2025", {{"parallelism", "4"}}})
                        .schedule_source;
                source = std::regex_replace(source, std::regex("get_func\\(\\d+\\)"), "get_func()");
                source = std::regex_replace(source, std::regex("\\$\\d+"), "");  // in comments
                // Of what the schedule makes of a Func.
                source = std::regex_replace(source, std::regex("(_stored|_copy)\\b"), " $1");
                std::string renamed;
                const std::regex word("\\w+");
                auto from = source.cbegin();
                for (std::sregex_iterator it(source.begin(), source.end(), word), last; it != last;
                     ++it) {
                    const auto known = made.names.find(it->str());
                    renamed.append(from, (*it)[0].first);
                    renamed += known == made.names.end() ? it->str() : known->second;
                    from = (*it)[0].second;
                }
                write(renamed.append(from, source.cend()));
            },
            300.0)
            .wait();
    EXPECT_TRUE(!end.timed_out && end.signal == 0 && end.status == 0) << end.noise;
    return end.results;
}

NamedPipeline random_named(uint64_t seed, const PipelineNames &names) {
    NamedPipeline made;
    const PipelineNames noted = [&](const std::string &kind, int number) {
        const std::string name =
            names ? names(kind, number) : fmt::format("plain_{}_{}", kind, number);
        made.names[name] = fmt::format("{}_{}", kind, number);
        return name;
    };
    made.outputs = random_pipeline(seed, kSize, noted).outputs;
    return made;
}

void expect_same_under_other_names(uint64_t first, uint64_t count) {
    const std::vector<PipelineNames> others = {
        [](const std::string &kind, int number) {
            return fmt::format("z{}_of_{}", 999 - number, kind);
        },
        [](const std::string &, int number) {
            return fmt::format("stage_{}_{}", number * 37 % 101, number);
        }};
    for (uint64_t seed = first; seed < first + count; seed++) {
        const std::string plain = schedule_of([&] { return random_named(seed, {}); });
        for (const PipelineNames &names : others) {
            EXPECT_EQ(plain, schedule_of([&] { return random_named(seed, names); }))
                << "seed " << seed;
        }
    }
}

// The calls of every Func, without declarations.
std::vector<std::string> calls_of(const std::string &source) {
    std::vector<std::string> calls;
    const std::regex call("(^|\n)\\w[^;=]*\n    \\.[^;]*;");
    for (std::sregex_iterator it(source.begin(), source.end(), call), end; it != end; ++it) {
        calls.push_back(std::regex_replace(it->str(), std::regex("^\\s+"), ""));
    }
    return calls;
}

void expect_left_alone(const std::function<NamedPipeline()> &alone,
                       const std::function<NamedPipeline()> &both) {
    const std::vector<std::string> all = calls_of(schedule_of(both));
    const std::vector<std::string> ours = calls_of(schedule_of(alone));
    EXPECT_FALSE(ours.empty());
    for (const std::string &call : ours) {
        EXPECT_NE(all.end(), std::find(all.begin(), all.end(), call)) << call;
    }
}

// Sharpened by what a wide blur leaves, beside a local maximum: Funcs without names, which Halide numbers.
NamedPipeline sharpened(bool blur_first) {
    const Var x("x"), y("y"), k("k");
    const Halide::Buffer<uint8_t> input(1920, 1080, "input");
    NamedPipeline made;
    Func source, grey, blur_x, blur_y, wide, peak, out;
    source = Halide::BoundaryConditions::repeat_edge(input);
    const auto blurred = [&] {
        Func across, down;
        across(x, y) = grey(x - 2, y) + 4.0f * grey(x, y) + grey(x + 2, y);
        down(x, y) = across(x, y - 2) + 4.0f * across(x, y) + across(x, y + 2);
        blur_x = across;
        blur_y = down;
    };
    const auto largest = [&] {
        Func most;
        const Halide::RDom r(-3, 7, "r");
        most(x, y) = 0.0f;
        most(x, y) = max(most(x, y), grey(x + r, y));
        peak = most;
    };
    grey(x, y) = Halide::cast<float>(source(x, y)) / 255.0f;
    if (blur_first) {
        blurred();
        largest();
    } else {
        largest();
        blurred();
    }
    out(x, y) = grey(x, y) + (grey(x, y) - blur_y(x, y) / 36.0f) * peak(x, y);
    out.set_estimates({{0, 1920}, {0, 1080}});
    made.names = {{grey.name(), "grey"},
                  {blur_x.name(), "blur_x"},
                  {blur_y.name(), "blur_y"},
                  {peak.name(), "peak"},
                  {out.name(), "out"}};
    made.outputs = {out};
    return made;
}

// One output of two images; with `more`, another one that reads the first image, larger and of much more work.
NamedPipeline blended(bool more, bool first) {
    const Var x("x"), y("y"), u("u"), v("v");
    Halide::ImageParam a(Halide::UInt(8), 2, "a"), b(Halide::Float(32), 2, "b");
    Func blur("blur"), out("out"), other("other"), table("table");
    blur(x, y) = (b(x, y) + b(x + 1, y) + b(x + 2, y)) / 3.0f;
    out(x, y) = blur(x, y) + blur(x, y + 1) + a(x, y);
    out.set_estimates({{0, 640}, {0, 480}});
    NamedPipeline made;
    made.outputs = {out};
    if (more) {
        const Halide::RDom r(0, 31, 0, 31, "r");
        table(u, v) = 0;
        table(u, v) += Halide::cast<int>(a(u + r.x, v + r.y));
        other(u, v) = table(u, v) * 2 + table(u + 5, v);
        other.set_estimates({{0, 4000}, {0, 3000}});
        made.outputs.insert(first ? made.outputs.begin() : made.outputs.end(), other);
    }
    return made;
}

}  // namespace

TEST(Schedules, OfNetworksAreTheSameUnderOtherNames) {
    const std::string plain = schedule_of([] { return convolutions({"a_", "b_", "c_", "d_"}); });
    EXPECT_NE(std::string::npos, plain.find("sum.update(0)")) << plain;
    EXPECT_EQ(plain, schedule_of([] { return convolutions({"z_", "y_", "x_", "w_"}); }));
    EXPECT_EQ(plain, schedule_of([] { return convolutions({"m_", "z_", "a_", "k_"}); }));
}

TEST(Schedules, AreTheSameUnderOtherNames) { expect_same_under_other_names(100, 5); }

TEST(SlowSchedules, AreTheSameUnderOtherNames) { expect_same_under_other_names(1, 60); }

TEST(Schedules, AreTheSameInWhateverOrderStagesAreDefined) {
    EXPECT_EQ(schedule_of([] { return sharpened(true); }),
              schedule_of([] { return sharpened(false); }));
}

TEST(Schedules, AreLeftAloneByAnUnrelatedOutput) {
    for (const bool first : {false, true}) {
        expect_left_alone([] { return blended(false, false); },
                          [&] { return blended(true, first); });
    }
    for (uint64_t seed = 200; seed < 203; seed++) {
        expect_left_alone([&] { return random_named(seed, {}); },
                          [&] {
                              NamedPipeline made = random_named(seed, {});
                              const NamedPipeline more = random_named(seed + 50, {});
                              made.outputs.insert(made.outputs.end(), more.outputs.begin(),
                                                  more.outputs.end());
                              return made;
                          });
    }
}

}  // namespace emulsion::test
