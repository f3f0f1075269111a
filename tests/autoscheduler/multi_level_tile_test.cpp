// Multi-level tiles of scans, scatters and sums over everything: which reductions are offered them, what loops they have,
// and that every point of their space computes what loops in double precision do.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "autoscheduler/templates/template.h"
#include "fusion/random_nest.h"
#include "tests/fusion/for_seeds.h"

namespace emulsion {

namespace {

using Halide::Buffer;
using Halide::Expr;
using Halide::Func;
using Halide::RDom;
using Halide::Var;
using test::for_seeds;

Machine machine_of_tiles() {
    CpuMachine m;
    m.vector_bytes = 32;
    m.vector_registers = 16;
    m.threads = 4;
    return m;
}

std::vector<Var> axes_of_rank(size_t rank) {
    const std::vector<Var> all{Var("a"), Var("b"), Var("c")};
    return {all.begin(), all.begin() + static_cast<long>(rank)};
}

// A reduction, what reads it, and what that is to be, by element; axis 0 lies innermost.
struct Case {
    std::vector<Func> parts;
    std::vector<int64_t> extents;
    Buffer<double> expected;
    std::vector<Buffer<float>> data{};
    Buffer<int> places{};
};

Buffer<float> random_floats(const std::vector<int64_t> &extents, std::mt19937_64 &engine) {
    Buffer<float> data(std::vector<int>(extents.begin(), extents.end()));
    std::uniform_real_distribution<float> value(-1.0F, 1.0F);
    data.for_each_value([&](float &v) { v = value(engine); });
    return data;
}

// A scan along an axis, of two elements or more: s(i) = x(i) + s(i - 1) / 2.
Case scan_case(const std::vector<int64_t> &extents, size_t axis, std::mt19937_64 &engine) {
    Case made{{},
              extents,
              Buffer<double>(std::vector<int>(extents.begin(), extents.end())),
              {random_floats(extents, engine)}};
    const std::vector<Var> v = axes_of_rank(extents.size());
    const std::vector<Expr> here(v.begin(), v.end());
    const RDom r(1, static_cast<int>(extents[axis]) - 1, "r");
    std::vector<Expr> next = here, last = here;
    next[axis] = r.x;
    last[axis] = r.x - 1;
    Func sums("sums"), result("result");
    sums(v) = made.data[0](here);
    sums(next) += 0.5F * sums(last);
    result(v) = 3.0F * sums(v) + 1.0F;
    made.parts = {sums, result};
    Buffer<double> &e = made.expected;
    e.for_each_element([&](const int *at) {
        std::vector<int> before(at, at + extents.size());
        before[axis]--;
        const double old = before[axis] < 0 ? 0.0 : (e(before.data()) - 1.0) / 3.0;
        e(at) = 3.0 * (made.data[0](at) + 0.5 * old) + 1.0;
    });
    return made;
}

// Rows, or single elements of rows, that are added where numbers say.
Case scatter_case(const std::vector<int64_t> &extents, bool elements, std::mt19937_64 &engine) {
    const int columns = static_cast<int>(extents[0]), rows = static_cast<int>(extents[1]);
    const int updates = 1 + static_cast<int>(engine() % 40);
    Case made{{},
              extents,
              Buffer<double>(columns, rows),
              {random_floats(extents, engine), random_floats({columns, updates}, engine)},
              Buffer<int>(columns, updates)};
    made.places.for_each_value(
        [&](int &place) { place = static_cast<int>(engine() % static_cast<uint64_t>(rows)); });
    const RDom r(0, columns, 0, updates, "r");
    const Expr place = Halide::clamp(made.places(elements ? Expr(r.x) : Expr(0), r.y), 0, rows - 1);
    const std::vector<Var> v = axes_of_rank(2);
    Func scattered("scattered"), result("result");
    scattered(v) = made.data[0](v[0], v[1]);
    scattered(r.x, place) += made.data[1](r.x, r.y);
    result(v) = Halide::max(scattered(v), 0.0F);
    made.parts = {scattered, result};
    made.expected.for_each_element([&](int c, int y) {
        double sum = made.data[0](c, y);
        for (int u = 0; u < updates; u++) {
            sum += made.places(elements ? c : 0, u) == y ? made.data[1](c, u) : 0.0;
        }
        made.expected(c, y) = std::max(sum, 0.0);
    });
    return made;
}

// log(sum(exp(x - max))): two reductions.
Case total_case(const std::vector<int64_t> &extents, std::mt19937_64 &engine) {
    Case made{{}, {}, Buffer<double>::make_scalar(), {random_floats(extents, engine)}};
    Halide::Region all;
    for (const int64_t extent : extents) {
        all.emplace_back(0, static_cast<int>(extent));
    }
    const RDom r(all, "r");
    std::vector<Expr> at;
    for (int i = 0; i < r.dimensions(); i++) {
        at.emplace_back(r[i]);
    }
    Func largest("largest"), sum("sum"), result("result");
    largest() = Halide::Float(32).min();
    largest() = Halide::max(largest(), made.data[0](at));
    sum() = 0.0F;
    sum() += Halide::exp(made.data[0](at) - largest());
    result() = Halide::log(sum()) + largest();
    made.parts = {largest, sum, result};
    double exact = 0.0;
    made.data[0].for_each_value([&](float v) { exact += std::exp(static_cast<double>(v)); });
    made.expected() = std::log(exact);
    return made;
}

NestSubject subject_of(const Case &made) {
    NestSubject s;
    for (const Func &part : made.parts) {
        s.parts.push_back(func_facts(part.function()));
    }
    s.extents = made.extents;
    for (size_t axis = made.extents.size(); axis > 0; axis--) {
        s.natural_order.push_back(static_cast<int>(axis) - 1);
    }
    s.machine = machine_of_tiles();
    return s;
}

std::optional<NestOffer> offered(const Case &made) {
    return find_template("multi_level_tile").offer(subject_of(made));
}

void apply_to(const Case &made, const Nest &nest) {
    NestFuncs funcs;
    funcs.root = made.parts.back();
    funcs.is_output = true;
    funcs.panels.assign(made.parts.begin(), made.parts.end() - 1);
    funcs.extents = made.extents;
    funcs.target = Halide::get_jit_target_from_environment();
    const NestTemplate &t = find_template("multi_level_tile");
    NestSpace bounds = t.bounds(funcs);
    bounds.template_name = t.name;
    EXPECT_EQ("", bounds.is_valid(nest));
    t.apply(funcs, nest);
}

std::string text(const Nest &nest) {
    std::string all;
    for (const auto &[name, value] : nest.parameters) {
        all += name;
        all += "=";
        all += std::to_string(value);
        all += " ";
    }
    return all;
}

// The largest difference from what is expected, over 1 and the size of that.
double error_of(const Case &made) {
    Func root = made.parts.back();
    const Buffer<float> found =
        root.realize(std::vector<int>(made.extents.begin(), made.extents.end()));
    double worst = 0.0;
    found.for_each_element([&](const int *at) {
        const double expected = made.expected(at);
        worst = std::max(worst, std::abs(found(at) - expected) / (1.0 + std::abs(expected)));
    });
    return worst;
}

// The same, and what Halide says where it can't compile the nest.
void expect_right(const Case &made, const Nest &nest, uint64_t seed) {
    try {
        apply_to(made, nest);
        EXPECT_LT(error_of(made), 1e-4) << "seed " << seed << ": " << text(nest);
    } catch (const Halide::Error &error) {
        ADD_FAILURE() << "seed " << seed << ": " << text(nest) << error.what();
    }
}

// Sizes that tile badly: small, odd, prime.
std::vector<int64_t> random_extents(size_t rank, std::mt19937_64 &engine) {
    std::vector<int64_t> extents;
    for (size_t i = 0; i < rank; i++) {
        const std::vector<int64_t> some{1, 2, 3, 5, 7, 13, 16, 17, 31, 33, 64, 67};
        extents.push_back(some[engine() % some.size()]);
    }
    return extents;
}

Case random_case(uint64_t seed, std::mt19937_64 &engine) {
    const size_t rank = 1 + engine() % 3;
    switch (seed % 4) {
    case 0:
    case 1: {
        std::vector<int64_t> extents = random_extents(2 + seed % 4, engine);
        const size_t axis = engine() % extents.size();
        extents[axis] = std::max<int64_t>(extents[axis], 2);
        return scan_case(extents, axis, engine);
    }
    case 2: return scatter_case(random_extents(2, engine), engine() % 2 == 0, engine);
    default: return total_case(random_extents(rank, engine), engine);
    }
}

}  // namespace

TEST(MultiLevelTile, IsOfferedToScansScattersAndSumsOverEverything) {
    std::mt19937_64 engine(1);
    for (const Case &made : {scan_case({40, 30}, 1, engine), scatter_case({40, 30}, true, engine),
                             total_case({40, 30}, engine)}) {
        const auto offer = offered(made);
        ASSERT_TRUE(offer);
        EXPECT_EQ(Placement::Panel, offer->reduction_placement);
        EXPECT_EQ("", offer->space.is_valid(offer->space.preferred()));
    }
}

TEST(MultiLevelTile, IsNotOfferedWhereNoAxisCanBeCut) {
    std::mt19937_64 engine(1);
    EXPECT_FALSE(offered(scan_case({40}, 0, engine)));
    Func histogram("histogram"), result("result");
    const Buffer<int> data(100);
    const RDom r(0, 100);
    const Var a("a");
    histogram(a) = 0;
    histogram(Halide::clamp(data(r), 0, 9)) += 1;
    result(a) = histogram(a);
    EXPECT_FALSE(offered({{histogram, result}, {10}, {}}));
    Func ratio("ratio"), of_ratio("of_ratio");
    ratio() = 1;
    ratio() = data(r) - ratio();  // the order of its steps matters
    of_ratio() = ratio();
    EXPECT_FALSE(offered({{ratio, of_ratio}, {}, {}}));
}

TEST(MultiLevelTile, HasNoVectorsAlongWhatAnUpdateScans) {
    std::mt19937_64 engine(1);
    for (const size_t axis : {0, 1, 2}) {
        const NestSpace space = offered(scan_case({40, 30, 20}, axis, engine))->space;
        Nest nest = space.preferred();
        EXPECT_NE(static_cast<int64_t>(axis), nest.parameters.at("vector_axis"));
        nest.parameters["vector_axis"] = static_cast<int64_t>(axis);
        EXPECT_NE("", space.is_valid(nest));
    }
}

TEST(MultiLevelTile, OfAScanIsComputedInTheTasksOfItsReader) {
    std::mt19937_64 engine(1);
    const Case made = scan_case({64, 33, 128}, 1, engine);
    expect_right(made, offered(made)->space.preferred(), 1);
    Halide::LoopLevel level = made.parts.front().function().schedule().compute_level();
    level.lock();
    EXPECT_FALSE(level.is_root());
    EXPECT_FALSE(level.is_inlined());
    EXPECT_EQ(made.parts.back().name(), level.func());
}

TEST(MultiLevelTile, SuggestsValidNestsOfOtherTiles) {
    std::mt19937_64 engine(1);
    for (const Case &made : {scan_case({400, 30}, 1, engine), scatter_case({400, 30}, true, engine),
                             total_case({400, 300}, engine)}) {
        const NestSpace space = offered(made)->space;
        int valid = 0;
        for (const Nest &nest : space.model->suggest(space.preferred(), machine_of_tiles())) {
            valid += space.is_valid(nest).empty() ? 1 : 0;
            EXPECT_NE(space.preferred(), nest);
        }
        EXPECT_GE(valid, 8);
    }
}

TEST(MultiLevelTile, AnyPointComputesWhatPlainLoopsDo) {
    for_seeds(8.0, 1, [](uint64_t seed) {
        std::mt19937_64 engine(seed);
        const Case made = random_case(seed, engine);
        const auto offer = offered(made);
        if (!offer) {
            return;
        }
        const Nest nest = random_nest(offer->space, offer->space.preferred(), engine);
        expect_right(made, nest, seed);
        EXPECT_GT(offer->space.estimate(nest, machine_of_tiles()).cycles, 0.0);
    });
}

}  // namespace emulsion
