#include <string>

#include <gtest/gtest.h>

#include "tests/ops/movement_reference.h"

namespace emulsion {
namespace {

TEST(SpaceToDepth, EqualsPlainLoops) {
    for_random_cases([](Random &random) {
        const int64_t b = random.integer(1, 3);
        const bool channels_first = random.flip();
        const std::vector<int64_t> s = random.shape(4, 3);
        const TestTensor x = random.tensor({s[0], s[1], s[2] * b, s[3] * b}, any_type(random));
        TestTensor y({s[0], s[1] * b * b, s[2], s[3]}, x.type);
        for_each_coordinate(x.shape, [&](const Coordinates &at) {
            const int64_t within = at[2] % b * b + at[3] % b;
            const int64_t channel = channels_first ? at[1] * b * b + within : within * s[1] + at[1];
            y.at({at[0], channel, at[2] / b, at[3] / b}) = x.at(at);
        });
        OperatorCase test("SpaceToDepth");
        test.attribute("blocksize", b);
        if (channels_first || random.flip()) {
            test.attribute("mode", std::string(channels_first ? "CRD" : "DCR"));
        }
        test.input(x);
        test.expect(y);
    });
}

TEST(SpaceToDepth, RefusalsNameTheAttribute) {
    for (const int64_t block : {int64_t{3}, int64_t{0}}) {
        OperatorCase test("SpaceToDepth");
        test.attribute("blocksize", block);
        test.input(TestTensor({1, 1, 2, 6}, DataType::F32));
        test.expect_refused("blocksize", {1, 9, 1, 2});
    }
    OperatorCase mode("SpaceToDepth");
    mode.attribute("blocksize", int64_t{2});
    mode.attribute("mode", std::string("RCD"));
    mode.input(TestTensor({1, 1, 2, 6}, DataType::F32));
    mode.expect_refused("mode", {1, 4, 1, 3});
    OperatorCase missing("SpaceToDepth");
    missing.input(TestTensor({1, 1, 2, 6}, DataType::F32));
    missing.expect_refused("blocksize", {1, 1, 2, 6});
}

}  // namespace
}  // namespace emulsion
