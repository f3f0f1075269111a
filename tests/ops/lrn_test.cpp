#include <cmath>

#include <gtest/gtest.h>

#include "tests/ops/sets_reference.h"

namespace emulsion {
namespace {

TEST(LRN, EqualsPlainLoops) {
    for_random_cases([](Random &random) {
        const int rank = static_cast<int>(random.integer(2, 5));
        const TestTensor x =
            random.tensor(random.shape(rank, 6), random.choose({DataType::F32, DataType::F64}));
        const int64_t size = random.integer(1, 9);
        double alpha = 1e-4;
        double beta = 0.75;
        double bias = 1.0;
        OperatorCase test("LRN");
        test.input(x);
        test.attribute("size", size);
        if (random.flip()) {
            alpha = 0.5;
            beta = 1.25;
            bias = 2.0;
            test.attribute("alpha", alpha);
            test.attribute("beta", beta);
            test.attribute("bias", bias);
        }
        TestTensor y(x.shape, x.type);
        for_each_coordinate(x.shape, [&](const std::vector<int64_t> &at) {
            double sum = 0.0;
            std::vector<int64_t> near = at;
            for (int64_t i = 0; i < size; i++) {
                near[1] = at[1] - (size - 1) / 2 + i;
                if (near[1] >= 0 && near[1] < x.shape[1]) {
                    sum += x.at(near) * x.at(near);
                }
            }
            y.at(at) = x.at(at) / std::pow(bias + alpha / static_cast<double>(size) * sum, beta);
        });
        test.expect(y);
    });
}

TEST(LRN, RefusalsNameTheCause) {
    OperatorCase missing("LRN");
    missing.input(TestTensor({1, 2, 3}, DataType::F32));
    missing.expect_refused("attribute size", {1, 2, 3});
    OperatorCase zero("LRN");
    zero.input(TestTensor({1, 2, 3}, DataType::F32));
    zero.attribute("size", int64_t{0});
    zero.expect_refused("attribute size", {1, 2, 3});
    OperatorCase rank("LRN");
    rank.input(TestTensor({3}, DataType::F32));
    rank.attribute("size", int64_t{1});
    rank.expect_refused("rank 2", {3});
}

}  // namespace
}  // namespace emulsion
