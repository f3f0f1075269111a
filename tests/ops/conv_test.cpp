#include <gtest/gtest.h>

#include "tests/ops/window_reference.h"

namespace emulsion {
namespace {

struct Groups {
    int64_t group, in_per_group, out_per_group;
};

TestTensor reference_conv(const TestTensor &x, const TestTensor &weight, const TestTensor *bias,
                          const RandomWindows &windows, const Groups &groups) {
    TestTensor y(windows.output_shape(x.shape[0], weight.shape[0]), x.type);
    for_each_coordinate(y.shape, [&](const std::vector<int64_t> &at) {
        double sum = bias != nullptr ? bias->at({at[1]}) : 0.0;
        const int64_t first_channel = at[1] / groups.out_per_group * groups.in_per_group;
        const std::vector<int64_t> window = from_axis(at, 2);
        for_each_coordinate(windows.all(&ReferenceWindow::kernel), [&](const auto &tap) {
            const std::vector<int64_t> positions = windows.positions(window, tap);
            for (int64_t ci = 0; ci < groups.in_per_group && windows.inside(positions); ci++) {
                sum += x.at(joined({at[0], first_channel + ci}, positions)) *
                       weight.at(joined({at[1], ci}, tap));
            }
        });
        y.at(at) = sum;
    });
    return y;
}

void run_conv(Random &random, const Groups &groups, const RandomWindows &windows) {
    const DataType type = random.choose({DataType::F32, DataType::F32, DataType::F64});
    const int64_t in = groups.group * groups.in_per_group;
    const int64_t out = groups.group * groups.out_per_group;
    const TestTensor x = random.tensor(windows.input_shape(random.integer(1, 2), in), type);
    const TestTensor weight = random.tensor(
        joined({out, groups.in_per_group}, windows.all(&ReferenceWindow::kernel)), type);
    const TestTensor bias = random.tensor({out}, type);
    const bool has_bias = random.flip();

    OperatorCase test("Conv");
    test.input(x);
    test.input(weight);
    if (has_bias) {
        test.input(bias);
    }
    windows.set_attributes(test, random, false);
    if (groups.group != 1 || random.flip()) {
        test.attribute("group", groups.group);
    }
    test.expect(reference_conv(x, weight, has_bias ? &bias : nullptr, windows, groups));
}

TEST(Conv, EqualsPlainLoops) {
    for_random_cases([](Random &random) {
        run_conv(random, {1, random.integer(1, 5), random.integer(1, 5)},
                 random_windows(random, false));
    });
}

TEST(Conv, GroupsSeeTheirOwnChannels) {
    for_random_cases([](Random &random) {
        run_conv(random, {random.integer(2, 4), random.integer(1, 3), random.integer(1, 3)},
                 random_windows(random, false));
    });
}

TEST(Conv, DepthwiseAndPointwise) {
    for_random_cases([](Random &random) {
        RandomWindows windows = random_windows(random, false);
        run_conv(random, {random.integer(2, 6), 1, 1}, windows);
        windows = {};
        windows.axes.resize(2);
        windows.axes[0].input = windows.axes[0].output = 3;
        windows.axes[1].input = windows.axes[1].output = 4;
        run_conv(random, {1, random.integer(1, 4), random.integer(1, 4)}, windows);
        run_conv(random, {random.integer(1, 4), 1, 1}, windows);
    });
}

// A convolution that is fine, and a change that makes it one to refuse.
OperatorCase valid_conv() {
    OperatorCase test("Conv");
    test.input(TestTensor({1, 4, 5, 5}, DataType::F32));
    test.input(TestTensor({2, 4, 3, 3}, DataType::F32));
    return test;
}

TEST(Conv, RefusalsNameTheAttribute) {
    const std::vector<std::pair<std::string, Attribute>> cases = {
        {"strides", std::vector<int64_t>{1}},
        {"strides", std::vector<int64_t>{0, 1}},
        {"dilations", std::vector<int64_t>{1, -1}},
        {"dilations", std::vector<int64_t>{1, int64_t{1} << 62}},
        {"dilations", 1.0},
        {"pads", std::vector<int64_t>{1, 1}},
        {"pads", std::vector<int64_t>{0, 0, -1, 0}},
        {"pads", std::vector<int64_t>{0, 0, int64_t{1} << 40, 0}},
        {"auto_pad", std::string("SAME")},
        {"kernel_shape", std::vector<int64_t>{3, 2}},
        {"group", int64_t{3}},
        {"group", int64_t{0}},
    };
    for (const auto &[key, value] : cases) {
        OperatorCase test = valid_conv();
        test.attribute(key, value);
        test.expect_refused(key, {1, 2, 3, 3});
    }
    OperatorCase both = valid_conv();
    both.attribute("auto_pad", std::string("SAME_UPPER"));
    both.attribute("pads", std::vector<int64_t>{1, 1, 1, 1});
    both.expect_refused("pads", {1, 2, 5, 5});
}

TEST(Conv, RefusesWindowsThatDoNotFit) {
    OperatorCase test = valid_conv();
    test.attribute("dilations", std::vector<int64_t>{3, 1});
    test.expect_refused("dilation 3", {1, 2, 1, 3});
}

TEST(Conv, RefusesOtherRanksShapesAndTypes) {
    OperatorCase rank("Conv");
    rank.input(TestTensor({1, 4}, DataType::F32));
    rank.input(TestTensor({2, 4}, DataType::F32));
    rank.expect_refused("rank 2", {1, 2});

    OperatorCase ranks("Conv");
    ranks.input(TestTensor({1, 4, 5}, DataType::F32));
    ranks.input(TestTensor({2, 4, 3, 3}, DataType::F32));
    ranks.expect_refused("rank 4", {1, 2, 3});

    OperatorCase type("Conv");
    type.input(TestTensor({1, 4, 5, 5}, DataType::I32));
    type.input(TestTensor({2, 4, 3, 3}, DataType::I32));
    type.expect_refused("i32", {1, 2, 3, 3});

    OperatorCase mixed("Conv");
    mixed.input(TestTensor({1, 4, 5, 5}, DataType::F32));
    mixed.input(TestTensor({2, 4, 3, 3}, DataType::F64));
    mixed.expect_refused("f64", {1, 2, 3, 3});

    OperatorCase channels("Conv");
    channels.input(TestTensor({1, 3, 5, 5}, DataType::F32));
    channels.input(TestTensor({2, 4, 3, 3}, DataType::F32));
    channels.expect_refused("input channels", {1, 2, 3, 3});

    OperatorCase bias = valid_conv();
    bias.input(TestTensor({1}, DataType::F32));
    bias.expect_refused("bias", {1, 2, 3, 3});

    valid_conv().expect_refused("[1, 2, 4, 3]", {1, 2, 4, 3});
}

}  // namespace
}  // namespace emulsion
