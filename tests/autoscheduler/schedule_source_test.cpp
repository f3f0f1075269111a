#include "autoscheduler/schedule_source.h"

#include <gtest/gtest.h>

#include <regex>
#include <set>

#include "autoscheduler/apply.h"
#include "autoscheduler/shared_sums.h"
#include "tests/autoscheduler/layer.h"

namespace emulsion {

namespace {

using test::Layer;

std::string scheduled(const std::string &name) {
    const Layer layer(name);
    apply_plan({layer.out}, layer.plan(), Halide::Target("x86-64-linux"));
    return schedule_source({layer.out});
}

}  // namespace

TEST(ScheduleSource, NamesEveryFuncItSchedules) {
    const std::string source = scheduled("named_layer");
    for (const char *text :
         {"Func named_layer_sum = ", "Func named_layer_out = ", ".compute_at(named_layer_out, ",
          "named_layer_sum.update(0)", ".vectorize(", ".unroll("}) {
        EXPECT_NE(std::string::npos, source.find(text)) << text << " is not in\n" << source;
    }
}

TEST(ScheduleSource, IsTheSameForTheSamePipeline) {
    const std::string once = scheduled("once_layer");
    std::string again = scheduled("again_layer");
    EXPECT_EQ(once, std::regex_replace(again, std::regex("again"), "once"));
}

// Every name that a call uses is declared before.
TEST(ScheduleSource, DeclaresWhatItUses) {
    const std::string source = scheduled("declared_layer");
    std::set<std::string> declared;
    const std::regex declaration("(Var|RVar|Func) (\\w+)");
    for (std::sregex_iterator it(source.begin(), source.end(), declaration), end; it != end; ++it) {
        declared.insert((*it)[2]);
    }
    const std::regex call("\\.(split|reorder|vectorize|unroll|parallel|compute_at)\\(([^()]*)\\)");
    for (std::sregex_iterator it(source.begin(), source.end(), call), end; it != end; ++it) {
        const std::string arguments = (*it)[2];
        const std::regex word("[A-Za-z_]\\w*(::\\w+)?");
        for (std::sregex_iterator w(arguments.begin(), arguments.end(), word); w != end; ++w) {
            const std::string name = w->str();
            EXPECT_TRUE(declared.count(name) != 0 || name.rfind("TailStrategy", 0) == 0)
                << name << " in " << it->str() << " of\n"
                << source;
        }
    }
}

// What sharing a sum among threads makes is made again by the text, of the Funcs that the pipeline had before.
TEST(ScheduleSource, MakesTheFuncsThatSharingMade) {
    Halide::ImageParam data(Halide::Float(32), 2, "data");
    Halide::Var x("x"), part("part");
    Halide::Func first("shared_first"), sum("shared_sum"), out("shared_out");
    Halide::RDom r(0, 64, "r");
    const Halide::RVar steps(steps_of("r$x")), which(kPartLoop);
    Halide::Var y("y");
    first(x, y) = data(x, y) * 2.0f;
    sum(x) += first(x, r);
    out(x) = sum(x) + 1.0f;
    Halide::Pipeline before(out);
    EXPECT_EQ(first.name(), before.get_func(1).name());
    EXPECT_EQ(sum.name(), before.get_func(2).name());
    first.compute_root();
    sum.compute_at(out, x).update(0).split(r, steps, which, 4);
    Halide::Func parts = sum.update(0).rfactor(which, part);
    parts.in(sum).compute_at(out, x);
    const std::string source = schedule_source({out});
    for (const std::string text :
         {"Func shared_first = pipeline.get_func(1);", "Func shared_sum = pipeline.get_func(2);",
          "Func partial_sums = shared_sum.update(0)\n    .split(r_x, r_x_steps, which, 4)\n"
          "    .rfactor(which, part);",
          "Func partial_sums_stored = partial_sums.in(shared_sum);",
          "partial_sums_stored\n    .compute_at(shared_out, x)"}) {
        EXPECT_NE(std::string::npos,
                  std::regex_replace(source, std::regex("_[0-9]+(?=[ .;\n])"), "").find(text))
            << text << " is not in\n"
            << source;
    }
}

// Halide numbers equal names: these are Funcs as others.
TEST(ScheduleSource, MakesTheFuncsThatSharingMadeOfFuncsWithEqualNames) {
    const Halide::Var x("x"), part("part");
    const Halide::RDom r(0, 64, "r");
    Halide::Func first("equal_sum"), second("equal_sum"), out("equal_out");
    first(x) = x;
    second(x) = 0;
    second(x) += first(x + r);
    out(x) = second(x);
    first.compute_root();
    const Halide::RVar steps(steps_of("r$x")), which(kPartLoop);
    second.compute_root().update(0).split(r, steps, which, 4);
    const Halide::Func taken(second.name() +
                             "_intm");  // so that the next of that name has a number too
    Halide::Func made = second.update(0).rfactor(which, part);
    made.compute_at(second, x);
    EXPECT_FALSE(made.name().starts_with(second.name())) << made.name();
    const std::string source = schedule_source({out});
    EXPECT_NE(std::string::npos, source.find(".rfactor(which, part);")) << source;
    EXPECT_EQ(std::string::npos, source.find("_intm")) << source;
}

// A pipeline does not give its inputs.
TEST(ScheduleSource, LeavesOutConditionsOnInputs) {
    Halide::ImageParam data(Halide::Float(32), 2, "conditional_data");
    const Halide::Var x("x");
    Halide::Func out("conditional_out");
    out(x) = data(x, 0);
    out.specialize(data.dim(0).extent() == 1);
    EXPECT_EQ(std::string::npos, schedule_source({out}).find("specialize"));
    out.specialize(out.output_buffer().dim(0).extent() == 8).unroll(x);
    EXPECT_NE(std::string::npos,
              schedule_source({out}).find(
                  ".specialize(conditional_out.output_buffers()[0].dim(0).extent() == 8)"))
        << schedule_source({out});
}

// So does folding these, after they were made.
TEST(ScheduleSource, FoldsPartsToFew) {
    Halide::ImageParam data(Halide::Float(32), 2, "data");
    Halide::Var x("x"), part("part"), folded("folded");
    Halide::Func sum("folded_sum"), out("folded_out");
    Halide::RDom r(0, 64, "r");
    const Halide::RVar steps(steps_of("r$x")), which(kPartLoop), few(kFewLoop);
    sum(x) += data(r, x);
    out(x) = sum(x) + 1.0f;
    sum.compute_at(out, x).update(0).split(r, steps, which, 16);
    sum.update(0).rfactor(which, part).compute_at(sum, x);
    sum.update(0).split(which, Halide::RVar(steps_of(kPartLoop)), few, 4);
    sum.update(0).rfactor(few, folded).compute_at(sum, x);
    const std::string source = schedule_source({out});
    for (const std::string text :
         {"Func partial_sums = folded_sum.update(0)\n    .split(r_x, r_x_steps, which, 16)\n"
          "    .rfactor(which, part);\n"
          "Func partial_sums_2 = folded_sum.update(0)\n    .split(which, which_steps, few, 4)\n"
          "    .rfactor(few, folded);",
          "RVar which(\"which\");"}) {
        EXPECT_NE(std::string::npos,
                  std::regex_replace(source, std::regex("\\br[0-9]+"), "r").find(text))
            << text << " is not in\n"
            << source;
    }
}

}  // namespace emulsion
