#include "autoscheduler/schedule_source.h"

#include <gtest/gtest.h>

#include <regex>
#include <set>

#include "autoscheduler/apply.h"
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

}  // namespace emulsion
