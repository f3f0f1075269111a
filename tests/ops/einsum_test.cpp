#include <algorithm>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "tests/ops/operator_harness.h"

namespace emulsion {
namespace {

// An equation as lists of letters; "..." is written as the letters X, Y, Z, from the last one back.
struct RandomEquation {
    std::vector<std::string> terms;
    std::string result;
    std::map<char, int64_t> extents;
    std::string text;
};

const std::string kEllipsisLetters = "XYZ";

std::string with_ellipsis(const std::string &letters) {
    std::string result;
    for (const char letter : letters) {
        if (kEllipsisLetters.find(letter) == std::string::npos) {
            result += letter;
        } else if (result.find("...") == std::string::npos) {
            result += "...";
        }
    }
    return result;
}

RandomEquation random_equation(Random &random) {
    RandomEquation e;
    for (const char letter : std::string("abcXYZ")) {
        e.extents[letter] = random.integer(1, 4);
    }
    const bool has_ellipsis = random.flip();
    std::set<char> used;
    std::map<char, int> count;
    const int64_t operands = random.integer(1, 3);
    size_t longest = 0;
    for (int64_t i = 0; i < operands; i++) {
        std::string term;
        for (int64_t letters = random.integer(0, 3); letters > 0; letters--) {
            term += random.choose({'a', 'b', 'c'});  // twice: a diagonal
        }
        if (has_ellipsis && random.integer(0, 3) != 0) {
            const auto axes = static_cast<size_t>(random.integer(0, 2));
            longest = std::max(longest, axes);
            const std::string letters = kEllipsisLetters.substr(3 - axes);
            term.insert(static_cast<size_t>(random.integer(0, static_cast<int64_t>(term.size()))),
                        letters);
        }
        used.insert(term.begin(), term.end());
        for (const char letter : term) {
            count[letter]++;
        }
        e.terms.push_back(term);
    }
    const std::string ellipsis = kEllipsisLetters.substr(3 - longest);
    const bool is_implicit = random.integer(0, 3) == 0;
    if (is_implicit) {
        e.result = ellipsis;
        for (const char letter : std::string("abc")) {
            e.result += count[letter] == 1 ? std::string(1, letter) : "";
        }
    } else {
        std::vector<char> letters = {'a', 'b', 'c'};
        if (random.flip()) {
            std::swap(letters[0], letters[2]);
        }
        for (const char letter : letters) {
            if (used.count(letter) != 0 && random.flip()) {
                e.result += letter;
            }
        }
        e.result.insert(
            static_cast<size_t>(random.integer(0, static_cast<int64_t>(e.result.size()))),
            ellipsis);
    }
    for (const std::string &term : e.terms) {
        const std::string comma = random.flip() ? "," : " , ";
        e.text += (&term == &e.terms.front() ? "" : comma) + with_ellipsis(term);
    }
    if (!is_implicit) {
        e.text += "->" + with_ellipsis(e.result);
    }
    return e;
}

TEST(Einsum, EqualsPlainLoops) {
    for_random_cases([](Random &random) {
        const RandomEquation e = random_equation(random);
        const DataType type = random.choose(
            {DataType::F32, DataType::F64, DataType::I16, DataType::I32, DataType::I64});
        OperatorCase test("Einsum");
        std::vector<TestTensor> operands;
        for (const std::string &term : e.terms) {
            std::vector<int64_t> shape;
            std::map<char, int64_t> once;  // an operand may be broadcast along a letter
            for (const char letter : term) {
                once.emplace(letter, random.integer(0, 4) == 0 ? 1 : e.extents.at(letter));
                shape.push_back(once.at(letter));
            }
            operands.push_back(random.tensor(shape, type));
            for (double &value : operands.back().values) {
                value = is_float(type) ? value : std::clamp(value, -3.0, 3.0);
            }
            test.input(operands.back());
        }
        // Letters that every operand broadcasts have one element.
        std::map<char, int64_t> extents;
        for (size_t i = 0; i < operands.size(); i++) {
            for (size_t axis = 0; axis < e.terms[i].size(); axis++) {
                int64_t &extent = extents.emplace(e.terms[i][axis], 1).first->second;
                extent = std::max(extent, operands[i].shape[axis]);
            }
        }
        std::string letters;
        std::vector<int64_t> all;
        for (const auto &[letter, extent] : extents) {
            letters += letter;
            all.push_back(extent);
        }
        const auto coordinates = [&](const std::string &term, const std::vector<int64_t> &at,
                                     const std::vector<int64_t> &shape) {
            std::vector<int64_t> result;
            for (size_t i = 0; i < term.size(); i++) {
                result.push_back(shape[i] == 1 ? 0 : at[letters.find(term[i])]);
            }
            return result;
        };
        std::vector<int64_t> result_shape;
        for (const char letter : e.result) {
            result_shape.push_back(extents.at(letter));
        }
        TestTensor y(result_shape, type);
        for_each_coordinate(all, [&](const std::vector<int64_t> &at) {
            double product = 1.0;
            for (size_t i = 0; i < operands.size(); i++) {
                product *= operands[i].at(coordinates(e.terms[i], at, operands[i].shape));
            }
            y.at(coordinates(e.result, at, y.shape)) += product;
        });
        SCOPED_TRACE(e.text);
        test.attribute("equation", e.text);
        test.expect(y);
    });
}

TEST(Einsum, RefusalsNameTheCause) {
    const auto refused = [](const std::string &equation, const std::string &word) {
        OperatorCase test("Einsum");
        test.input(TestTensor({2, 3}, DataType::F32));
        test.input(TestTensor({3, 4}, DataType::F32));
        test.attribute("equation", equation);
        SCOPED_TRACE(equation);
        test.expect_refused(word, {2, 4});
    };
    refused("ij->ij", "1 terms for 2 operands");
    refused("", "terms");
    refused("ijk,jk->ik", "'ijk' does not fit");
    refused("i...,j->i", "'j' does not fit");
    refused("ij,ij->ij", "'i' has 2 elements in one place and 3 in another");
    refused("ij,jk->il", "no operand has 'l'");
    refused("ij,jk->ii", "twice");
    refused("i1,1k->ik", "letters");
    refused("ij,jk->...ik->", "letters");
    refused("i.j,jk->ik", "fit");
    refused("ij,jk->ki", "[4, 2]");

    OperatorCase type("Einsum");
    type.input(TestTensor({2}, DataType::F32));
    type.input(TestTensor({2}, DataType::F64));
    type.attribute("equation", std::string("i,i->"));
    type.expect_refused("f64", {});
}

}  // namespace
}  // namespace emulsion
