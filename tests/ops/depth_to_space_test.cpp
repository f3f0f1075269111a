#include <gtest/gtest.h>

#include "tests/ops/movement_reference.h"

namespace emulsion {
namespace {

TEST(DepthToSpace, EqualsPlainLoops) {
    for_random_cases([](Random &random) {
        const int64_t b = random.integer(1, 3);
        const int64_t channels = random.integer(1, 3);
        const bool crd = random.flip();
        const std::vector<int64_t> small = random.shape(3, 3);
        const TestTensor x =
            random.tensor({small[0], channels * b * b, small[1], small[2]}, any_type(random));
        OperatorCase test("DepthToSpace");
        test.attribute("blocksize", b);
        if (crd || random.flip()) {
            test.attribute("mode", std::string(crd ? "CRD" : "DCR"));
        }
        test.input(x);
        test.expect(
            moved(x, {small[0], channels, small[1] * b, small[2] * b}, [&](const Coordinates &at) {
                const int64_t i = at[2] % b;
                const int64_t j = at[3] % b;
                const int64_t channel =
                    crd ? (at[1] * b + i) * b + j : (i * b + j) * channels + at[1];
                return Coordinates{at[0], channel, at[2] / b, at[3] / b};
            }));
    });
}

TEST(DepthToSpace, RefusalsNameTheAttribute) {
    const TestTensor x({1, 6, 2, 2}, DataType::F32);
    for (const int64_t block : {int64_t{2}, int64_t{0}, int64_t{-1}, int64_t{1} << 40}) {
        OperatorCase test("DepthToSpace");
        test.attribute("blocksize", block);
        test.input(x);
        test.expect_refused("blocksize", {1, 1, 4, 4});
    }
    OperatorCase mode("DepthToSpace");
    mode.attribute("blocksize", int64_t{1});
    mode.attribute("mode", std::string("RCD"));
    mode.input(x);
    mode.expect_refused("RCD", {1, 6, 2, 2});
}

}  // namespace
}  // namespace emulsion
