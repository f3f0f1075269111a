#include "tests/ops/sets_reference.h"

#include <cmath>
#include <map>

#include <gtest/gtest.h>

namespace emulsion {

TestTensor reference_sets(const TestTensor &x, const std::set<int> &along,
                          const SetFunction &function) {
    std::map<std::vector<int64_t>, std::vector<std::vector<int64_t>>> sets;
    for_each_coordinate(x.shape, [&](const std::vector<int64_t> &at) {
        std::vector<int64_t> key = at;
        for (const int axis : along) {
            key[static_cast<size_t>(axis)] = 0;
        }
        sets[key].push_back(at);
    });
    TestTensor y(x.shape, x.type);
    for (const auto &[key, members] : sets) {
        std::vector<double> values;
        for (const std::vector<int64_t> &at : members) {
            values.push_back(x.at(at));
        }
        const std::vector<double> results = function(values);
        for (size_t i = 0; i < members.size(); i++) {
            y.at(members[i]) = results.at(i);
        }
    }
    return y;
}

void test_along_axis(const std::string &type, const SetFunction &function, double offset,
                     const std::function<void(OperatorCase &)> &set_attributes) {
    for_random_cases([&](Random &random) {
        const int rank = static_cast<int>(random.integer(1, 5));
        TestTensor x =
            random.tensor(random.shape(rank, 5), random.choose({DataType::F32, DataType::F64}));
        const int64_t axis = random.integer(-rank, rank - 1);
        if (random.flip()) {
            for (double &value : x.values) {
                value += offset;
            }
        }
        OperatorCase test(type);
        test.input(x);
        if (axis != -1 || random.flip()) {
            test.attribute("axis", axis);
        }
        if (set_attributes) {
            set_attributes(test);
        }
        test.expect(reference_sets(x, {static_cast<int>(axis < 0 ? axis + rank : axis)}, function));
    });
}

void test_along_axis_refusals(const std::string &type) {
    OperatorCase axis(type);
    axis.input(TestTensor({2, 3}, DataType::F32));
    axis.attribute("axis", int64_t{2});
    axis.expect_refused("axis", {2, 3});

    OperatorCase element(type);
    element.input(TestTensor({2, 3}, DataType::I32));
    element.expect_refused("i32", {2, 3});
}

double mean_of(const std::vector<double> &values) {
    double sum = 0.0;
    for (const double value : values) {
        sum += value;
    }
    return sum / static_cast<double>(values.size());
}

double variance_of(const std::vector<double> &values) {
    const double mean = mean_of(values);
    double sum = 0.0;
    for (const double value : values) {
        sum += (value - mean) * (value - mean);
    }
    return sum / static_cast<double>(values.size());
}

std::vector<double> normalized(const std::vector<double> &values, double epsilon) {
    const double mean = mean_of(values);
    const double deviation = std::sqrt(variance_of(values) + epsilon);
    std::vector<double> result;
    for (const double value : values) {
        result.push_back((value - mean) / deviation);
    }
    return result;
}

std::set<int> axes_behind(int first, int rank) {
    std::set<int> result;
    for (int axis = first; axis < rank; axis++) {
        result.insert(axis);
    }
    return result;
}

}  // namespace emulsion
