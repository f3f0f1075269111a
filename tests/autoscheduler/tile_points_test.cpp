// Every valid point of the loop nest `tiles` computes bit for bit what serial loops compute, and every other one is
// refused with a sentence before Halide sees it: small pipelines of images and points at random, with a time box and a
// printed seed.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "autoscheduler/apply.h"
#include "autoscheduler/image_analysis.h"
#include "autoscheduler/regions.h"
#include "autoscheduler/templates/template.h"
#include "fusion/error.h"
#include "fusion/image/plan_images.h"
#include "fusion/random_nest.h"
#include "tests/autoscheduler/planned_images.h"
#include "tests/fusion/for_seeds.h"
#include "tests/fusion/invalid_nest.h"

namespace emulsion {

namespace {

using Halide::cast;
using Halide::Expr;
using Halide::Func;
using Halide::RDom;
using Halide::select;
using Halide::Var;
using test::for_seeds;

// Two to five stages: blurs, windows, pixels, half and twice the size, colours. Equal seeds make equal pipelines.
class StencilPipeline {
public:
    explicit StencilPipeline(uint64_t seed) : random_(seed) {}

    ImagePipeline make() {
        images_.push_back(Halide::BoundaryConditions::repeat_edge(image_of_numbers()));
        for (int count = 1 + below(4); count > 0; count--) {
            images_.push_back(next());
        }
        Func out("out");
        if (below(3) == 0) {
            out(x_, y_, c_) = cast<uint8_t>(colours()(x_, y_, c_) + any()(x_, y_));
            out.output_buffer().dim(2).set_bounds(0, kEstimatedSize[2]);
        } else if (below(2) == 0) {
            out(x_, y_) = cast<uint16_t>(images_.back()(x_, y_) + any()(x_, y_));
        } else {
            return {{images_.back()}, {}};
        }
        return {{out}, {}};
    }

private:
    int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }

    const Func &any() {
        const size_t back = 1 + static_cast<size_t>(below(2));
        return images_[images_.size() - std::min(back, images_.size())];
    }

    Func next() {
        switch (below(8)) {
        case 0: return blur(1, 0);
        case 1: return blur(0, 1);
        case 2: return windows();
        case 3: return half();
        case 4: return twice();
        case 5: return turned();
        case 6: return gray();
        default: return pixels();
        }
    }

    // Now and then of a narrow type.
    Expr small(const Expr &value) {
        return below(3) == 0 ? Expr(cast<uint8_t>(value)) : Expr(cast<int>(value) & 255);
    }

    Func pixels() {
        Func f("pixels");
        const Func &a = any(), &b = any();
        f(x_, y_) = small(cast<int>(a(x_, y_)) * 3 - b(x_, y_) + y_);
        return f;
    }

    Func blur(int dx, int dy) {
        Func f("blur");
        const Func &source = any();
        const int reach = 1 + below(3);
        Expr sum = cast<int>(0);
        for (int tap = -reach; tap <= reach; tap++) {
            sum += cast<int>(source(x_ + tap * dx, y_ + tap * dy)) * (reach + 1 - std::abs(tap));
        }
        f(x_, y_) = small(sum / (reach + 1));
        return f;
    }

    Func windows() {
        Func f("windows");
        const Func &source = any();
        const RDom r(-below(3), 1 + below(5), -below(3), 1 + below(4));
        f(x_, y_) = below(4);
        f(x_, y_) += cast<int>(source(x_ + r.x, y_ + r.y));
        return f;
    }

    Func half() {
        Func f("half");
        const Func &source = any();
        f(x_, y_) = small((cast<int>(source(2 * x_, 2 * y_)) + source(2 * x_ + 1, 2 * y_ + 1)) / 2);
        return f;
    }

    Func twice() {
        Func f("twice");
        const Func &source = any();
        f(x_, y_) =
            small((cast<int>(source(x_ / 2, y_ / 2)) + source((x_ + 1) / 2, (y_ + 1) / 2)) / 2);
        return f;
    }

    Func turned() {
        Func f("turned");
        const Func &source = any();
        f(x_, y_) = small(source(y_, x_) + 1);
        return f;
    }

    Func colours() {
        Func f("colours");
        const Func &source = any();
        f(x_, y_, c_) = select(c_ == 0, cast<int>(source(x_, y_)), c_ == 1,
                               cast<int>(source(x_ + 1, y_)), cast<int>(source(x_, y_ - 1)));
        return f;
    }

    Func gray() {
        Func f("gray");
        const Func all = colours();
        f(x_, y_) = small((all(x_, y_, 0) + 2 * all(x_, y_, 1) + all(x_, y_, 2)) / 4);
        return f;
    }

    std::mt19937_64 random_;
    std::vector<Func> images_;
    const Var x_{"x"}, y_{"y"}, c_{"c"};
};

// What the points that have been run have.
class Coverage {
public:
    void add(const Nest &nest) {
        counts_["points"]++;
        for (const char *name : {"slide_axis", "unroll_axis"}) {
            counts_[name] += nest.parameters.at(name) >= 0 ? 1 : 0;
        }
        for (const char *name : {"sweep", "transposes", "host"}) {
            counts_[name] += nest.parameters.at(name) > 0 ? 1 : 0;
        }
    }
    // Sums that are computed for a few vectors at a time.
    void add_registers(const Plan &plan) {
        for (const PlannedGroup &group : plan.groups) {
            counts_["registers"] += static_cast<int>(std::count_if(
                group.members.begin(), group.members.end(), [](const PlannedMember &member) {
                    return member.parts.front().placement == Placement::Register;
                }));
        }
    }
    void print() const {
        for (const auto &[name, count] : counts_) {
            std::cout << "tiles, " << name << ": " << count << "\n";
        }
    }

private:
    std::map<std::string, int> counts_;
};

// The spaces that the nests of a plan have to be points of.
class Spaces {
public:
    Spaces(const ImagePipeline &made, const Plan &plan) : fixed_(fixed_boxes(made.outputs)) {
        for (const Func &output : made.outputs) {
            outputs_.insert(output.name());
            funcs_.emplace(output.name(), output);
            for (const auto &[name, function] :
                 Halide::Internal::find_transitive_calls(output.function())) {
                funcs_.emplace(name, Func(function));
            }
        }
        for (const PlannedCopy &copy : plan.copies) {  // they are as what they are of
            funcs_.emplace(copy.name, funcs_.at(copy.of));
            fixed_.emplace(copy.name, fixed_.at(copy.of));
        }
    }

    NestSpace of(const PlannedGroup &group, const PlannedMember &member) const {
        NestFuncs funcs;
        funcs.root = funcs_.at(member.op);
        const bool is_last = member.parts.front().placement == Placement::Root;
        for (const PlannedMember &other : group.members) {
            if (is_last && other.parts.front().placement == Placement::Panel) {
                funcs.stages.push_back(funcs_.at(other.op));
            }
            if (other.stage == member.stage &&
                other.parts.front().placement == Placement::Register) {
                funcs.registers.push_back(funcs_.at(other.op));
            }
        }
        funcs.is_panel = !is_last;
        funcs.is_output = outputs_.count(member.op) != 0;
        funcs.fixed_extent = [this, &member](int axis) {
            return fixed_extent(fixed_.at(member.op)[static_cast<size_t>(axis)]);
        };
        NestSpace space = find_template("tiles").bounds(funcs);
        space.template_name = "tiles";
        return space;
    }

private:
    std::map<std::string, Halide::Internal::Box> fixed_;
    std::map<std::string, Func> funcs_;
    std::set<std::string> outputs_;
};

// Calls visit(nest, space) for the nests of a plan that are `tiles`.
void for_each_nest(const ImagePipeline &made, Plan &plan,
                   const std::function<void(Nest &, const NestSpace &)> &visit) {
    const Spaces spaces(made, plan);
    for (PlannedGroup &group : plan.groups) {
        for (PlannedMember &member : group.members) {
            if (member.nest.template_name == "tiles") {
                visit(member.nest, spaces.of(group, member));
            }
        }
    }
}

// The points with blocks that are not much larger than the images, because outputs are as large as the largest, and with
// loop bodies that are compiled in less than seconds.
NestSpace with_small_bodies(NestSpace space) {
    using Rule = NestConstraint::Rule;
    for (size_t axis = 0; axis < kEstimatedSize.size(); axis++) {
        if (NestParameter *block = space.find("block" + std::to_string(axis))) {
            block->domain.most = 2 * kEstimatedSize[axis];
        }
    }
    space.constraints.push_back({Rule::ProductAtMost, {"vector", "vectors"}, 64, "is large"});
    space.constraints.push_back(
        {Rule::ProductAtMost, {"vector", "vectors", "register_rows"}, 128, "is large"});
    space.constraints.push_back({Rule::ProductAtMost,
                                 {"vector", "vector", "vectors"},
                                 128,
                                 "is large",
                                 std::pair{"transposes", 1}});
    return space;
}

std::string describe(const Plan &plan) {
    std::string text;
    for (const PlannedGroup &group : plan.groups) {
        text += "\n  group";
        for (const PlannedMember &member : group.members) {
            text += " " + member.op + "(" + member.nest.template_name;
            for (const auto &[name, value] : member.nest.parameters) {
                text += " " + name + "=" + std::to_string(value);
            }
            text += ")";
        }
    }
    return text + "\n";
}

// Sizes that no block divides.
std::vector<int> prime_size(std::mt19937_64 &engine) {
    const int widths[] = {61, 97, 113}, heights[] = {31, 53, 89};
    const int width = widths[engine() % 3];
    return {width, heights[engine() % 3], kEstimatedSize[2]};
}

void expect_points_are_right(uint64_t seed, Coverage &coverage) {
    const auto make = [&] { return StencilPipeline(seed).make(); };
    std::mt19937_64 engine(seed);
    const std::vector<int> size = prime_size(engine);
    const auto expected = run_stored(make, size);
    for (int i = 0; i < 2; i++) {
        std::string described;
        const auto draw = [&](const ImagePipeline &made, Plan &plan) {
            for_each_nest(made, plan, [&](Nest &nest, const NestSpace &space) {
                EXPECT_EQ("", space.is_valid(nest)) << "planned, seed " << seed;
                nest = random_nest(with_small_bodies(space), nest, engine);
                coverage.add(nest);
            });
            coverage.add_registers(plan);
            described = describe(plan);
            if (test::one_seed_only()) {  // it may not come back
                std::cout << described << std::flush;
            }
        };
        SCOPED_TRACE("seed " + std::to_string(seed) + ", point " + std::to_string(i));
        try {
            expect_equal_images(expected, run_planned(make, draw, size));
        } catch (const Halide::Error &error) {
            ADD_FAILURE() << error.what();
        } catch (const Error &error) {
            ADD_FAILURE() << error.what();
        }
        if (testing::Test::HasFailure()) {
            std::cout << described;
            return;
        }
    }
}

void run_points(double seconds, uint64_t first) {
    Coverage coverage;
    for_seeds(seconds, first, [&](uint64_t seed) { expect_points_are_right(seed, coverage); });
    coverage.print();
}

}  // namespace

TEST(TilePoints, ValidOnesAreRight) { run_points(5.0, 1); }
TEST(SlowTilePoints, ValidOnesAreRight) { run_points(60.0, 1000); }

TEST(TilePoints, PlannedOnesAreValid) {
    for_seeds(2.0, 1, [](uint64_t seed) {
        const ImagePipeline made = StencilPipeline(seed).make();
        estimate_outputs(made);
        const ImageGraph graph = analyze_images(made.outputs);
        for (const int vector_bytes : {16, 32, 64}) {
            CpuMachine machine = image_machine();
            machine.vector_bytes = vector_bytes;
            Plan plan = plan_images(graph, machine);
            for_each_nest(made, plan, [&](const Nest &nest, const NestSpace &space) {
                EXPECT_EQ("", space.is_valid(nest)) << "seed " << seed << describe(plan);
            });
        }
    });
}

TEST(TilePoints, OthersAreRefused) {
    for_seeds(2.0, 1, [](uint64_t seed) {
        const ImagePipeline made = StencilPipeline(seed).make();
        Plan plan = plan_of(made);
        std::mt19937_64 engine(seed);
        std::vector<Nest *> nests;
        std::vector<NestSpace> spaces;
        for_each_nest(made, plan, [&](Nest &nest, const NestSpace &space) {
            nests.push_back(&nest);
            spaces.push_back(space);
        });
        const size_t wrong = engine() % nests.size();
        *nests[wrong] = test::random_invalid_nest(spaces[wrong], engine);
        try {
            apply_plan(made.outputs, plan, Halide::get_jit_target_from_environment());
            ADD_FAILURE() << "seed " << seed << describe(plan);
        } catch (const Error &error) {
            EXPECT_EQ(0U, error.message().find("loop nest 'tiles'")) << error.message();
        } catch (const Halide::Error &error) {
            ADD_FAILURE() << "seed " << seed << ": " << error.what() << describe(plan);
        }
    });
}

}  // namespace emulsion
