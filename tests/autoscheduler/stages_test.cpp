// Groups of several loop nests: a value that is computed at a few rows of its reader.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>

#include "autoscheduler/apply.h"
#include "autoscheduler/pipeline_analysis.h"
#include "fusion/error.h"
#include "fusion/planner.h"

namespace emulsion {

namespace {

using namespace Halide;

const Target kTarget("host");

// Two fully connected layers as a foreign Halide program: rows of `out` read rows of `hidden`.
struct TwoLayers {
    static constexpr int kDepth = 24, kHidden = 40, kColumns = 33, kRows = 50;

    explicit TwoLayers(const std::string &name)
        : data(Float(32), 2, name + "_data"), first(Float(32), 2, name + "_first"),
          second(Float(32), 2, name + "_second"), sum(name + "_sum"), hidden(name + "_hidden"),
          total(name + "_total"), out(name + "_out") {
        const Var c("c"), x("x");
        const RDom k(0, kDepth, name + "_k"), h(0, kHidden, name + "_h");
        sum(c, x) = 0.0F;
        sum(c, x) += first(c, k) * data(k, x);
        hidden(c, x) = max(sum(c, x), 0.0F);
        total(c, x) = 0.0F;
        total(c, x) += second(c, h) * hidden(h, x);
        out(c, x) = total(c, x) + 1.0F;
        data.set_estimates({{0, kDepth}, {0, kRows}});
        first.set_estimates({{0, kHidden}, {0, kDepth}});
        second.set_estimates({{0, kColumns}, {0, kHidden}});
        out.set_estimates({{0, kColumns}, {0, kRows}});
    }

    Plan plan(int threads = 2) const {
        CpuMachine machine;
        machine.threads = threads;
        machine.vector_bytes = 32;
        machine.l2_bytes = 32 << 10;  // no room for all of the hidden layer
        machine.launch_cycles = 1e6;  // one kernel, whatever it takes
        PlannerOptions options;
        options.policy = "gao2025";
        options.owns_layouts = false;
        options.machine = machine;
        return make_plan(analyze_pipeline({out}, machine), options);
    }

    // Random data through the pipeline as it is scheduled; the largest error against plain loops.
    double largest_error() {
        std::mt19937 engine(1);
        std::uniform_real_distribution<float> value(-1.0F, 1.0F);
        Buffer<float> d(kDepth, kRows), a(kHidden, kDepth), b(kColumns, kHidden);
        for (Buffer<float> *buffer : {&d, &a, &b}) {
            buffer->for_each_value([&](float &v) { v = value(engine); });
        }
        data.set(d);
        first.set(a);
        second.set(b);
        const Buffer<float> result = out.realize({kColumns, kRows});
        double largest = 0.0;
        for (int x = 0; x < kRows; x++) {
            for (int c = 0; c < kColumns; c++) {
                double expected = 1.0;
                for (int h = 0; h < kHidden; h++) {
                    double inner = 0.0;
                    for (int k = 0; k < kDepth; k++) {
                        inner += static_cast<double>(a(h, k)) * d(k, x);
                    }
                    expected += b(c, h) * std::max(inner, 0.0);
                }
                largest = std::max(largest, std::abs(expected - result(c, x)));
            }
        }
        return largest;
    }

    // Rows of `hidden` that the lowered program has memory for; -1 where that is no constant.
    int64_t allocated_rows() const {
        class Finder : public Internal::IRVisitor {
        public:
            explicit Finder(std::string name) : name_(std::move(name)) {}
            int64_t elements = -1;

        private:
            using IRVisitor::visit;
            void visit(const Internal::Allocate *op) override {
                if (op->name == name_) {
                    elements = 1;
                    for (const Expr &extent : op->extents) {
                        const Expr most = Internal::simplify(
                            Internal::find_constant_bound(extent, Internal::Direction::Upper));
                        const auto known = Internal::as_const_int(most);
                        elements = known ? elements * *known : -1000000;
                    }
                }
                IRVisitor::visit(op);
            }
            std::string name_;
        };
        Finder finder(hidden.name());
        const Module module =
            Pipeline(out).compile_to_module({data, first, second}, "two_layers", kTarget);
        for (const Internal::LoweredFunc &function : module.functions()) {
            function.body.accept(&finder);
        }
        return finder.elements < 0 ? -1 : finder.elements / kHidden;
    }

    ImageParam data, first, second;
    Func sum, hidden, total, out;
};

std::string refusal(void (*damage)(Plan &)) {
    static int layers = 0;
    const TwoLayers layers_of_two("refused" + std::to_string(layers++) + "_stages");
    Plan plan = layers_of_two.plan();
    damage(plan);
    try {
        apply_plan({layers_of_two.out}, plan, kTarget);
    } catch (const Error &e) {
        return e.what();
    }
    return "";
}

}  // namespace

TEST(Stages, TwoLayersAreOneGroupAndComputeWhatPlainLoopsDo) {
    for (const int threads : {1, 2, 3}) {
        TwoLayers layers("two" + std::to_string(threads) + "_layers");
        const Plan plan = layers.plan(threads);
        ASSERT_EQ(plan.groups.size(), 1U);
        apply_plan({layers.out}, plan, kTarget);
        EXPECT_LT(layers.largest_error(), 1e-4) << to_json(plan, 2);
    }
}

TEST(Stages, MemoryIsForAPanelOnly) {
    TwoLayers layers("small_stages");
    layers.out.bound(layers.out.args()[0], 0, TwoLayers::kColumns);
    layers.out.bound(layers.out.args()[1], 0, TwoLayers::kRows);
    Plan plan = layers.plan();
    PlannedMember &root_anchor = plan.groups.at(0).members.at(2);
    ASSERT_EQ(root_anchor.nest.parameters.count("task_rows"), 1U);
    const int64_t width = root_anchor.nest.parameters.at("width");
    root_anchor.nest.parameters["task_rows"] = width;  // any number of rows will do
    apply_plan({layers.out}, plan, kTarget);
    EXPECT_GE(layers.allocated_rows(), width);
    EXPECT_LT(layers.allocated_rows(), TwoLayers::kRows / 2);
}

TEST(Stages, APlanThatDoesNotFitIsRefused) {
    EXPECT_EQ(refusal([](Plan &) {}), "");
    EXPECT_NE(refusal([](Plan &p) { p.groups[0].members[0].stage = 4; }).find("without a result"),
              std::string::npos);
    EXPECT_NE(refusal([](Plan &p) { p.groups[0].members[1].cut = {7}; }).find("cut an axis"),
              std::string::npos);
    EXPECT_NE(refusal([](Plan &p) { p.groups[0].members[1].order = {0}; }).find("has 1 axes"),
              std::string::npos);
    EXPECT_NE(refusal([](Plan &p) { p.groups[0].members[1].stage = 1; }).find("lacks its root"),
              std::string::npos);
}

}  // namespace emulsion
