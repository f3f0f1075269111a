#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/ops/movement_reference.h"

namespace emulsion {
namespace {

// A random node, and what its reference needs.
struct ResizeCase {
    std::string mode, coordinates, nearest;
    bool antialias = false, exclude_outside = false;
    double cubic = -0.75, extrapolation = 0.0;
};

// One axis of it.
struct Axis {
    int64_t input = 1, output = 1;
    double scale = 1.0, roi_start = 0.0, roi_end = 1.0;
};

// T is float where ties decide what is nearest, as in ONNX Runtime.
template<typename T>
T coordinate(const std::string &mode, const Axis &axis, int64_t at) {
    const T x = static_cast<T>(at), scale = static_cast<T>(axis.scale);
    const T in = static_cast<T>(axis.input), length = scale * in;
    const T start = static_cast<T>(axis.roi_start), end = static_cast<T>(axis.roi_end);
    const T half = static_cast<T>(0.5);
    const bool single = axis.output == 1 || length == 1;
    if (mode == "asymmetric") {
        return x / scale;
    }
    if (mode == "align_corners") {
        return single ? 0 : x * (in - 1) / (length - 1);
    }
    if (mode == "tf_crop_and_resize") {
        return single ? half * (start + end) * (in - 1)
                      : start * (in - 1) + x * (end - start) * (in - 1) / (length - 1);
    }
    if (mode == "pytorch_half_pixel" && axis.output == 1) {
        return 0;
    }
    const T offset =
        mode == "half_pixel_symmetric" ? in / 2 * (1 - static_cast<T>(axis.output) / length) : T{0};
    return offset + (x + half) / scale - half;
}

double kernel(const ResizeCase &test, double distance) {
    const double d = std::abs(distance), a = test.cubic;
    if (test.mode == "linear") {
        return d < 1.0 ? 1.0 - d : 0.0;
    }
    if (d < 1.0) {
        return (a + 2.0) * d * d * d - (a + 3.0) * d * d + 1.0;
    }
    return d < 2.0 ? a * d * d * d - 5.0 * a * d * d + 8.0 * a * d - 4.0 * a : 0.0;
}

int64_t nearest(const ResizeCase &test, float at) {
    if (test.nearest == "floor") {
        return static_cast<int64_t>(std::floor(at));
    }
    if (test.nearest == "ceil") {
        return static_cast<int64_t>(std::ceil(at));
    }
    const bool tie = std::abs(at - std::floor(at) - 0.5F) <= 1e-6F;
    return static_cast<int64_t>(tie ? test.nearest == "round_prefer_ceil" ? std::ceil(at)
                                                                          : std::floor(at)
                                    : std::round(at));
}

// Weight of every element of the operand's axis, borders repeated, for element `x` of the result; empty
// where the extrapolation value stands.
std::vector<double> weights(const ResizeCase &test, const Axis &axis, int64_t x) {
    std::vector<double> result(static_cast<size_t>(axis.input), 0.0);
    const auto add = [&](int64_t at, double weight) {
        result[static_cast<size_t>(std::clamp<int64_t>(at, 0, axis.input - 1))] += weight;
    };
    const bool crop = test.coordinates == "tf_crop_and_resize";
    const auto last = static_cast<double>(axis.input - 1);
    if (test.mode == "nearest") {
        const auto at = coordinate<float>(test.coordinates, axis, x);
        if (crop && (at < 0.0F || static_cast<double>(at) > last)) {
            return {};
        }
        add(nearest(test, at), 1.0);
        return result;
    }
    const auto at = coordinate<double>(test.coordinates, axis, x);
    if (crop && (at < 0.0 || at > last)) {
        return {};
    }
    const double stretch = test.antialias ? std::min(axis.scale, 1.0) : 1.0;
    const auto reach = static_cast<int64_t>(std::ceil(3.0 / stretch));
    const auto centre = static_cast<int64_t>(std::floor(at));
    double sum = 0.0;
    for (int64_t i = centre - reach; i <= centre + reach; i++) {
        const double weight = kernel(test, (static_cast<double>(i) - at) * stretch);
        if (!test.exclude_outside || (i >= 0 && i < axis.input)) {
            add(i, weight);
            sum += weight;
        }
    }
    for (double &weight : result) {
        weight = test.antialias || test.exclude_outside ? weight / sum : weight;
    }
    return result;
}

TestTensor resized(const ResizeCase &test, const TestTensor &x, const std::vector<Axis> &axes) {
    const bool yes = x.type == DataType::Bool && test.extrapolation != 0.0;
    const double beyond = yes ? 1.0 : test.extrapolation;
    TestTensor y = x;
    for (size_t a = 0; a < axes.size(); a++) {
        const Axis &axis = axes[a];
        if (axis.input == axis.output && axis.scale == 1.0 && axis.roi_start == 0.0 &&
            axis.roi_end == 1.0) {
            continue;
        }
        std::vector<int64_t> shape = y.shape;
        shape[a] = axis.output;
        TestTensor next(shape, x.type);
        for_each_coordinate(shape, [&](const Coordinates &at) {
            Coordinates from = at;
            const std::vector<double> w = weights(test, axis, at[a]);
            next.at(at) = w.empty() ? beyond : 0.0;
            for (size_t i = 0; i < w.size(); i++) {
                from[a] = static_cast<int64_t>(i);
                next.at(at) += w[i] * y.at(from);
            }
        });
        y = next;
    }
    return y;
}

ResizeCase random_resize(Random &random, bool images) {
    ResizeCase test;
    test.mode = random.choose<std::string>({"nearest", "linear", "cubic"});
    test.coordinates = random.choose<std::string>(
        {"half_pixel", "half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "align_corners",
         "asymmetric", "tf_crop_and_resize"});
    test.nearest =
        random.choose<std::string>({"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"});
    // Sums of an excluded and a negative weight may come near 0: not with the extrapolation.
    test.antialias = test.mode != "nearest" && !images && random.integer(0, 2) == 0;
    test.exclude_outside = test.mode == "cubic" && test.coordinates != "tf_crop_and_resize" &&
                           random.integer(0, 2) == 0;
    test.cubic = random.choose({-0.75, -0.5});
    test.extrapolation = random.choose({0.0, 7.0});
    return test;
}

OperatorCase operator_case(const ResizeCase &test, const TestTensor &x) {
    OperatorCase result("Resize");
    result.attribute("mode", test.mode);
    result.attribute("coordinate_transformation_mode", test.coordinates);
    result.attribute("nearest_mode", test.nearest);
    result.attribute("antialias", int64_t{test.antialias});
    result.attribute("exclude_outside", int64_t{test.exclude_outside});
    result.attribute("cubic_coeff_a", test.cubic);
    result.attribute("extrapolation_value", test.extrapolation);
    result.input(x);
    return result;
}

// Up to `changed` of the axes are resized, named by attribute axes or by all axes in order.
void expect_random_case(Random &random, int rank, int changed) {
    const ResizeCase test = random_resize(random, rank == 4);
    const TestTensor x = random.tensor(
        random.shape(rank, 6),
        test.mode == "nearest" ? any_type(random) : random.choose({DataType::F32, DataType::F64}));
    const bool by_scales = random.flip();
    const bool named = random.flip();
    std::vector<Axis> axes;
    std::vector<int64_t> shape, sizes, names;
    std::vector<double> scales, roi_starts, roi_ends;
    for (int i = 0; i < rank; i++) {
        Axis axis;
        axis.input = axis.output = x.shape[static_cast<size_t>(i)];
        const bool change = i >= rank - changed;
        if (change && by_scales) {
            axis.scale = random.choose<double>({0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 3.0, 0.6, 1.7});
            axis.scale = std::max(axis.scale, 1.0 / static_cast<double>(axis.input));
            axis.scale = static_cast<double>(static_cast<float>(axis.scale));
            axis.output = static_cast<int64_t>(static_cast<float>(axis.input) *
                                               static_cast<float>(axis.scale));
        } else if (change) {
            axis.output = random.integer(1, 9);
            axis.scale = static_cast<double>(axis.output) / static_cast<double>(axis.input);
        }
        if (change && test.coordinates == "tf_crop_and_resize") {
            axis.roi_start = random.choose({0.0, 0.25, -0.5});
            axis.roi_end = random.choose({1.0, 0.5, 1.5});
        }
        axes.push_back(axis);
        shape.push_back(axis.output);
        if (change || !named) {
            names.push_back(either_end(random, i, rank));
            scales.push_back(axis.scale);
            sizes.push_back(axis.output);
            roi_starts.push_back(axis.roi_start);
            roi_ends.push_back(axis.roi_end);
        }
    }
    OperatorCase node = operator_case(test, x);
    if (named) {
        node.attribute("axes", names);
    }
    roi_starts.insert(roi_starts.end(), roi_ends.begin(), roi_ends.end());
    const auto count = static_cast<int64_t>(scales.size());
    if (test.coordinates == "tf_crop_and_resize") {
        node.constant(TestTensor({2 * count}, DataType::F32, roi_starts));
    } else {
        node.absent_input();
    }
    if (by_scales) {
        node.constant(TestTensor({count}, DataType::F32, scales));
    } else {
        node.constant(TestTensor({0}, DataType::F32));  // models have empty scales beside sizes
        node.constant(int_list(sizes));
    }
    SCOPED_TRACE(test.mode + " " + test.coordinates + " " + test.nearest);
    node.expect(resized(test, x, axes));
}

TEST(Resize, ImagesEqualPlainLoops) {
    for_random_cases([](Random &random) { expect_random_case(random, 4, 2); });
}

// Halfway between two elements, which random cases seldom hit.
TEST(Resize, TiesGoWhereTheModeSays) {
    for (const char *mode : {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"}) {
        for (const char *coordinates : {"asymmetric", "align_corners"}) {
            SCOPED_TRACE(std::string(coordinates) + " " + mode);
            const ResizeCase test{.mode = "nearest", .coordinates = coordinates, .nearest = mode};
            const bool corners = test.coordinates == "align_corners";  // 5 elements are halves then
            const Axis axis{
                .input = 3, .output = corners ? 5 : 6, .scale = corners ? 5.0 / 3 : 2.0};
            const TestTensor x({3}, DataType::F32, {10, 20, 30});
            OperatorCase node = operator_case(test, x);
            node.absent_input();
            node.absent_input();
            node.constant(int_list({axis.output}));
            node.expect(resized(test, x, {axis}));
        }
    }
}

// In single precision 2 / (4 / 7) is less than 3.5.
TEST(Resize, ARoundedScaleLeavesATieATie) {
    for (const bool up : {false, true}) {
        const ResizeCase test{.mode = "nearest",
                              .coordinates = "asymmetric",
                              .nearest = up ? "round_prefer_ceil" : "round_prefer_floor"};
        const TestTensor x({7}, DataType::F32, {0, 1, 2, 3, 4, 5, 6});
        OperatorCase node = operator_case(test, x);
        node.absent_input();
        node.absent_input();
        node.constant(int_list({4}));
        node.expect(TestTensor({4}, DataType::F32, {0, 2, up ? 4.0 : 3.0, 5}));
    }
}

TEST(Resize, EveryRankEqualsPlainLoops) {
    for_random_cases([](Random &random) {
        const auto rank = static_cast<int>(random.integer(1, 3));
        expect_random_case(random, rank, static_cast<int>(random.integer(1, rank)));
    });
}

OperatorCase sized(const std::vector<int64_t> &sizes, const std::string &policy) {
    OperatorCase test("Resize");
    test.attribute("keep_aspect_ratio_policy", policy);
    test.attribute("axes", std::vector<int64_t>{0, 1});
    test.input(TestTensor({2, 4}, DataType::F32, {0, 1, 2, 3, 4, 5, 6, 7}));
    test.absent_input();
    test.absent_input();
    test.constant(int_list(sizes));
    return test;
}

TEST(Resize, ThePolicyKeepsTheAspectRatio) {
    sized({7, 8}, "not_larger").expect(TestTensor({4, 8}, DataType::F32, {0, 0, 1, 1, 2, 2, 3, 3,
                                                                          0, 0, 1, 1, 2, 2, 3, 3,
                                                                          4, 4, 5, 5, 6, 6, 7, 7,
                                                                          4, 4, 5, 5, 6, 6, 7, 7}));
    sized({2, 8}, "not_smaller").expect(TestTensor({4, 8}, DataType::F32, {0, 0, 1, 1, 2, 2, 3,
                                                                           3, 0, 0, 1, 1, 2, 2,
                                                                           3, 3, 4, 4, 5, 5, 6,
                                                                           6, 7, 7, 4, 4, 5, 5,
                                                                           6, 6, 7, 7}));
}

// No short division of integers gives these coordinates, so they come from a table.
TEST(Resize, OddScalesOfLongAxesAreExact) {
    for_random_cases([](Random &random) {
        ResizeCase test;
        test.mode = random.choose<std::string>({"nearest", "linear"});
        test.coordinates = random.choose<std::string>({"half_pixel", "asymmetric"});
        test.nearest = random.choose<std::string>({"round_prefer_floor", "floor"});
        const TestTensor x = random.tensor({random.integer(900, 1100)}, DataType::F32);
        Axis axis;
        axis.input = x.shape[0];
        axis.output = random.integer(700, 1300);
        axis.scale = static_cast<double>(axis.output) / static_cast<double>(axis.input);
        OperatorCase node = operator_case(test, x);
        node.absent_input();
        node.absent_input();
        node.constant(int_list({axis.output}));
        node.expect(resized(test, x, {axis}));
    });
}

OperatorCase scaled(const std::vector<double> &scales) {
    OperatorCase test("Resize");
    test.input(TestTensor({2, 4}, DataType::F32));
    test.absent_input();
    test.constant(TestTensor({static_cast<int64_t>(scales.size())}, DataType::F32, scales));
    return test;
}

TEST(Resize, RefusalsNameTheOperand) {
    scaled({2}).expect_refused("operand scales", {4, 8});
    scaled({-1, 2}).expect_refused("operand scales", {4, 8});
    scaled({0.25, 2}).expect_refused("operand scales", {4, 8});
    scaled({std::numeric_limits<double>::quiet_NaN(), 2}).expect_refused("operand scales", {4, 8});
    scaled({1, 1 << 30}).expect_refused("operand scales", {4, 8});
    scaled({1, 1 << 27}).expect_refused("weights", {4, 8});
    sized({2, 0}, "stretch").expect_refused("operand sizes", {2, 1});
    sized({2}, "stretch").expect_refused("operand sizes", {2, 1});

    OperatorCase both = scaled({2, 2});
    both.constant(int_list({4, 8}));
    both.expect_refused("exactly one", {4, 8});

    OperatorCase neither("Resize");
    neither.input(TestTensor({2}, DataType::F32));
    neither.expect_refused("exactly one", {2});

    OperatorCase variable("Resize");
    variable.input(TestTensor({2}, DataType::F32));
    variable.absent_input();
    variable.input(TestTensor({1}, DataType::F32));
    variable.expect_refused("operand 2", {4});

    OperatorCase roi = scaled({2, 2});
    roi.attribute("coordinate_transformation_mode", std::string("tf_crop_and_resize"));
    roi.expect_refused("roi", {4, 8});
}

TEST(Resize, RefusalsNameTheAttribute) {
    for (const char *name :
         {"mode", "coordinate_transformation_mode", "nearest_mode", "keep_aspect_ratio_policy"}) {
        OperatorCase test = scaled({2, 2});
        test.attribute(name, std::string("best"));
        test.expect_refused(name, {4, 8});
    }
    OperatorCase antialias = scaled({2, 2});
    antialias.attribute("antialias", int64_t{1});
    antialias.expect_refused("antialias", {4, 8});

    OperatorCase axes = scaled({2, 2});
    axes.attribute("axes", std::vector<int64_t>{0, -2});
    axes.expect_refused("attribute axes", {4, 8});

    OperatorCase type("Resize");
    type.attribute("mode", std::string("linear"));
    type.input(TestTensor({2}, DataType::U8));
    type.absent_input();
    type.constant(TestTensor({1}, DataType::F32, {2}));
    type.expect_refused("u8", {4});
}

}  // namespace
}  // namespace emulsion
