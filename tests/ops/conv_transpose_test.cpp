#include <gtest/gtest.h>

#include "tests/ops/window_reference.h"

namespace emulsion {
namespace {

// Along one axis, element i meets output i * stride + tap * dilation - before.
struct TransposedCase {
    std::vector<int64_t> input, kernel, stride, dilation, before, after, extra, output;
    int64_t group = 1, in_per_group = 1, out_per_group = 1;
    bool has_shape = false;  // attribute output_shape
    std::string auto_pad = "NOTSET";

    // Resolves pads and extents of a new axis; false if nothing of it is left.
    bool add_axis(Random &random, bool pad) {
        input.push_back(random.integer(1, 5));
        kernel.push_back(random.integer(1, 4));
        stride.push_back(random.integer(1, 3));
        dilation.push_back(random.flip() ? 1 : random.integer(1, 3));
        extra.push_back(random.flip() ? 0 : random.integer(0, 2));
        before.push_back(pad ? random.integer(0, 2) : 0);
        after.push_back(pad ? random.integer(0, 2) : 0);
        const int64_t full = (input.back() - 1) * stride.back() +
                             (kernel.back() - 1) * dilation.back() + 1 + extra.back();
        if (has_shape || auto_pad.starts_with("SAME")) {
            output.push_back(has_shape ? random.integer(1, full + 2)
                                       : input.back() * stride.back());
            // What is too much is cut off in turns, first behind with SAME_UPPER, else before.
            bool cut_behind = auto_pad == "SAME_UPPER";
            before.back() = after.back() = 0;
            while (full - before.back() - after.back() > output.back()) {
                (cut_behind ? after : before).back()++;
                cut_behind = !cut_behind;
            }
        } else {
            output.push_back(full - before.back() - after.back());
        }
        return output.back() > 0;
    }
};

TransposedCase random_case(Random &random) {
    for (;;) {
        TransposedCase c;
        c.group = random.flip() ? 1 : random.integer(2, 3);
        c.in_per_group = random.integer(1, 3);
        c.out_per_group = random.integer(1, 3);
        c.has_shape = random.integer(0, 3) == 0;
        c.auto_pad = random.choose<std::string>(
            {"NOTSET", "NOTSET", "NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID"});
        const bool pad = c.auto_pad == "NOTSET" && !c.has_shape && random.flip();
        bool fits = true;
        for (int64_t i = random.choose<int64_t>({1, 2, 2, 3}); i > 0; i--) {
            fits = c.add_axis(random, pad) && fits;
        }
        if (fits) {
            return c;
        }
    }
}

// By adding every product to where it belongs.
TestTensor reference(const TransposedCase &c, const TestTensor &x, const TestTensor &weight,
                     const TestTensor *bias) {
    TestTensor y(joined({x.shape[0], c.group * c.out_per_group}, c.output), x.type);
    for_each_coordinate(y.shape, [&](const std::vector<int64_t> &at) {
        y.at(at) = bias != nullptr ? bias->at({at[1]}) : 0.0;
    });
    for_each_coordinate(x.shape, [&](const std::vector<int64_t> &at) {
        for_each_coordinate(c.kernel, [&](const std::vector<int64_t> &tap) {
            std::vector<int64_t> target;
            bool inside = true;
            for (size_t i = 0; i < tap.size(); i++) {
                target.push_back(at[i + 2] * c.stride[i] + tap[i] * c.dilation[i] - c.before[i]);
                inside = inside && target[i] >= 0 && target[i] < c.output[i];
            }
            for (int64_t co = 0; co < c.out_per_group && inside; co++) {
                const int64_t channel = at[1] / c.in_per_group * c.out_per_group + co;
                y.at(joined({at[0], channel}, target)) +=
                    x.at(at) * weight.at(joined({at[1], co}, tap));
            }
        });
    });
    return y;
}

TEST(ConvTranspose, EqualsPlainLoops) {
    for_random_cases([](Random &random) {
        const TransposedCase c = random_case(random);
        const DataType type = random.choose({DataType::F32, DataType::F32, DataType::F64});
        const int64_t in = c.group * c.in_per_group;
        const TestTensor x = random.tensor(joined({random.integer(1, 2), in}, c.input), type);
        const TestTensor weight = random.tensor(joined({in, c.out_per_group}, c.kernel), type);
        const TestTensor bias = random.tensor({c.group * c.out_per_group}, type);
        const bool has_bias = random.flip();

        OperatorCase test("ConvTranspose");
        test.input(x);
        test.input(weight);
        if (has_bias) {
            test.input(bias);
        }
        test.attribute("strides", c.stride);
        test.attribute("dilations", c.dilation);
        test.attribute("output_padding", c.extra);
        if (c.has_shape) {
            test.attribute("output_shape", c.output);
        }
        if (c.auto_pad != "NOTSET" || random.flip()) {
            test.attribute("auto_pad", c.auto_pad);
        }
        if (c.auto_pad == "NOTSET" && !c.has_shape) {
            test.attribute("pads", joined(c.before, c.after));
        }
        if (random.flip()) {
            test.attribute("kernel_shape", c.kernel);
        }
        if (c.group != 1 || random.flip()) {
            test.attribute("group", c.group);
        }
        test.expect(reference(c, x, weight, has_bias ? &bias : nullptr));
    });
}

OperatorCase valid_case() {
    OperatorCase test("ConvTranspose");
    test.input(TestTensor({1, 4, 5, 5}, DataType::F32));
    test.input(TestTensor({4, 2, 3, 3}, DataType::F32));
    return test;
}

TEST(ConvTranspose, RefusalsNameTheAttribute) {
    const std::vector<std::pair<std::string, Attribute>> cases = {
        {"strides", std::vector<int64_t>{1}},
        {"strides", std::vector<int64_t>{0, 1}},
        {"strides", std::vector<int64_t>{1, int64_t{1} << 30}},
        {"dilations", std::vector<int64_t>{1, int64_t{1} << 62}},
        {"dilations", std::vector<int64_t>{1, (int64_t{1} << 31) - 1}},
        {"pads", std::vector<int64_t>{1, 1}},
        {"pads", std::vector<int64_t>{4, 0, 4, 0}},
        {"output_padding", std::vector<int64_t>{-1, 0}},
        {"output_shape", std::vector<int64_t>{7}},
        {"output_shape", std::vector<int64_t>{0, 7}},
        {"auto_pad", std::string("SAME")},
        {"kernel_shape", std::vector<int64_t>{3, 2}},
        {"group", int64_t{3}},
    };
    for (const auto &[key, value] : cases) {
        OperatorCase test = valid_case();
        test.attribute(key, value);
        test.expect_refused(key, {1, 2, 7, 7});
    }
}

TEST(ConvTranspose, RefusesOtherShapesAndTypes) {
    OperatorCase channels("ConvTranspose");
    channels.input(TestTensor({1, 3, 5, 5}, DataType::F32));
    channels.input(TestTensor({4, 2, 3, 3}, DataType::F32));
    channels.expect_refused("input channels", {1, 2, 7, 7});

    OperatorCase bias = valid_case();
    bias.input(TestTensor({4}, DataType::F32));
    bias.expect_refused("bias", {1, 2, 7, 7});

    OperatorCase type("ConvTranspose");
    type.input(TestTensor({1, 4, 5}, DataType::I32));
    type.input(TestTensor({4, 2, 3}, DataType::I32));
    type.expect_refused("i32", {1, 2, 7});

    valid_case().expect_refused("[1, 2, 7, 8]", {1, 2, 7, 8});
}

}  // namespace
}  // namespace emulsion
