#include <cmath>
#include <map>
#include <set>

#include "tests/graphs/graph_maker.h"

namespace emulsion {

using namespace test;

namespace {

// "ab,bc->ac" taken apart.
struct Letters {
    std::vector<std::string> operands;
    std::string result;
};

Letters letters_of(const std::string &equation) {
    Letters letters;
    const size_t arrow = equation.find("->");
    letters.result = equation.substr(arrow + 2);
    std::string operand;
    for (const char c : equation.substr(0, arrow) + ",") {
        if (c == ',') {
            letters.operands.push_back(operand);
            operand.clear();
        } else {
            operand += c;
        }
    }
    return letters;
}

Shape at_letters(const std::string &letters, const std::map<char, int64_t> &at) {
    Shape index;
    for (const char letter : letters) {
        index.push_back(at.at(letter));
    }
    return index;
}

std::vector<Value> reference_einsum(const Call &call) {
    const Letters letters = letters_of(call.node.text("equation", ""));
    std::map<char, int64_t> extents;
    for (size_t i = 0; i < letters.operands.size(); i++) {
        for (size_t axis = 0; axis < letters.operands[i].size(); axis++) {
            extents[letters.operands[i][axis]] = call[i].shape[axis];
        }
    }
    std::string all;
    Shape shape;
    for (const auto &[letter, extent] : extents) {
        all += letter;
        shape.push_back(extent);
    }
    Value y(call[0].type, at_letters(letters.result, extents));
    for_each_index(shape, [&](const Shape &index, size_t) {
        std::map<char, int64_t> at;
        for (size_t i = 0; i < all.size(); i++) {
            at[all[i]] = index[i];
        }
        double product = 1;
        for (size_t i = 0; i < letters.operands.size(); i++) {
            product *= call[i](at_letters(letters.operands[i], at));
        }
        y(at_letters(letters.result, at)) += product;
    });
    return {y};
}

// Equations by the rank of the first operand, which is the graph's.
const std::vector<std::string> kEquations = {
    "a->",          "a,b->ab",       "a,a->",           "a,ab->b",     "ab->ba",
    "ab->a",        "ab->",          "aa->a",           "ab,bc->ac",   "ab,cb->ac",
    "ab,ab->a",     "ab,b,c->ac",    "abc->cab",        "abc->ac",     "abc,cd->abd",
    "abc,adc->abd", "abc,ac->ab",    "aba->b",          "abc,bd->acd", "abcd->adbc",
    "abcd->bd",     "abcd,be->aecd", "abcd,abed->abce", "abcd,d->abc", "abcd,cd->bad",
};

constexpr double kMostTerms = 60'000;

void make_einsum(GraphMaker &maker) {
    Draw &draw = maker.draw;
    const std::string equation = draw.of(kEquations);
    const Letters letters = letters_of(equation);
    const std::string &first = letters.operands[0];
    const auto repeats = [](const std::string &word) {
        return std::set<char>(word.begin(), word.end()).size() < word.size();
    };
    const auto fits = [&](const Value &v) {
        if (v.type != maker.real_type() || v.rank() != first.size()) {
            return false;
        }
        std::map<char, int64_t> extents;
        for (size_t i = 0; i < first.size(); i++) {
            if (extents.emplace(first[i], v.shape[i]).first->second != v.shape[i]) {
                return false;
            }
        }
        return true;
    };
    // Of the graph's values few are square.
    const int64_t side = draw.integer(2, 7);
    const TensorId x = repeats(first) && draw.flip()
                           ? maker.input(maker.real_type(), Shape(first.size(), side))
                           : maker.pick(fits);
    std::map<char, int64_t> extents;
    for (size_t i = 0; i < first.size(); i++) {
        extents[first[i]] = maker.shape(x)[i];
    }
    double products = 1, summed = 1;
    for (const char letter : equation) {
        if (letter >= 'a' && letter <= 'z' && extents.count(letter) == 0) {
            extents[letter] = maker.channels();
        }
    }
    for (const auto &[letter, extent] : extents) {
        products *= static_cast<double>(extent);
        summed *=
            letters.result.find(letter) == std::string::npos ? static_cast<double>(extent) : 1;
    }
    maker.require(products <= kMostTerms);
    std::vector<TensorId> inputs{x};
    for (size_t i = 1; i < letters.operands.size(); i++) {
        const Shape shape = at_letters(letters.operands[i], extents);
        if (draw.one_in(3)) {
            maker.option("two values");
            inputs.push_back(maker.pick(
                [&](const Value &v) { return v.type == maker.real_type() && v.shape == shape; }));
        } else {
            inputs.push_back(maker.weights(shape, 1.5 / std::sqrt(summed)));
        }
    }
    maker.option(inputs.size() == 1   ? "one operand"
                 : inputs.size() == 2 ? "two operands"
                                      : "three operands");
    if (repeats(first)) {
        maker.option("a diagonal");
    }
    maker.option(letters.result.empty() ? "a scalar" : summed > 1 ? "sums" : "no sum");
    maker.node("Einsum", inputs, {{"equation", equation}});
}

}  // namespace

const GraphKind &graph_kind_einsum() {
    static const GraphKind kind = {
        .name = "Einsum",
        .weight = 2,
        .options = {"one operand", "two operands", "three operands", "two values", "a diagonal",
                    "a scalar", "sums", "no sum"},
        .make = make_einsum,
        .operators = {{"Einsum", reference_einsum}},
    };
    return kind;
}

}  // namespace emulsion
