#include "frontend/ops/support/equation.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "frontend/ops/support/checks.h"

namespace emulsion {

namespace {

const std::string kEllipsis = "...";

bool contains(const std::vector<Label> &labels, Label label) {
    return std::find(labels.begin(), labels.end(), label) != labels.end();
}

// Labels of one term. `ellipsis` is how many axes "..." stands for; it is left alone where there is
// no "...".
class Terms {
public:
    Terms(const OperatorContext &context, const std::string &equation)
        : context_(context), equation_(equation) {}

    [[noreturn]] void complain(const std::string &why) const {
        refuse(context_, fmt::format("attribute equation is '{}': {}", equation_, why));
    }

    // The labels of `term`, whose tensor has `rank` axes.
    std::vector<Label> labels_of(const std::string &term, int rank) const {
        const size_t dots = term.find(kEllipsis);
        const bool has_ellipsis = dots != std::string::npos;
        const int letters = static_cast<int>(term.size() - (has_ellipsis ? kEllipsis.size() : 0));
        if (has_ellipsis ? letters > rank : letters != rank) {
            complain(fmt::format("'{}' does not fit a tensor of rank {}", term, rank));
        }
        std::vector<Label> labels;
        for (size_t i = 0; i < term.size(); i++) {
            if (i == dots) {
                for (int axis = rank - letters; axis > 0; axis--) {
                    labels.push_back(-axis);
                }
                i += kEllipsis.size() - 1;
            } else {
                labels.push_back(letter(term[i]));
            }
        }
        return labels;
    }

private:
    Label letter(char c) const {
        if ((c < 'a' || c > 'z') && (c < 'A' || c > 'Z')) {
            complain("letters, commas, '->' and at most one '...' per term are accepted");
        }
        return c;
    }

    const OperatorContext &context_;
    const std::string &equation_;
};

std::vector<std::string> split_terms(const std::string &text) {
    std::vector<std::string> terms(1);
    for (const char c : text) {
        if (c == ',') {
            terms.emplace_back();
        } else {
            terms.back() += c;
        }
    }
    return terms;
}

// The result where the equation names none: "...", then the letters that occur once, in their order.
std::vector<Label> implicit_result(const Equation &equation) {
    std::map<Label, int> count;
    for (const std::vector<Label> &operand : equation.operands) {
        for (const Label label : operand) {
            count[label]++;
        }
    }
    std::vector<Label> result;
    for (const auto &[label, times] : count) {
        // Labels of "..." are negative, the outermost axis the least.
        if (label < 0 || times == 1) {
            result.push_back(label);
        }
    }
    return result;
}

void resolve_extents(const OperatorContext &context, const Terms &terms, Equation &equation) {
    for (size_t i = 0; i < equation.operands.size(); i++) {
        const std::vector<int64_t> shape = context.input_shape(static_cast<int>(i));
        for (size_t axis = 0; axis < shape.size(); axis++) {
            const Label label = equation.operands[i][axis];
            int64_t &extent = equation.extents.emplace(label, 1).first->second;
            if (shape[axis] == 1) {
                continue;
            }
            if (extent != 1 && extent != shape[axis]) {
                const std::string what = label < 0 ? std::string("an axis of '...'")
                                                   : fmt::format("'{}'", static_cast<char>(label));
                terms.complain(fmt::format("{} has {} elements in one place and {} in another",
                                           what, extent, shape[axis]));
            }
            extent = shape[axis];
        }
    }
}

std::vector<Label> explicit_result(const Terms &terms, const std::string &text,
                                   const Equation &equation) {
    int ellipsis = 0;
    for (const auto &[label, extent] : equation.extents) {
        ellipsis = std::max(ellipsis, -label);
    }
    const bool has_ellipsis = text.find(kEllipsis) != std::string::npos;
    const size_t letters = text.size() - (has_ellipsis ? kEllipsis.size() : 0);
    std::vector<Label> result =
        terms.labels_of(text, static_cast<int>(letters) + (has_ellipsis ? ellipsis : 0));
    for (size_t i = 0; i < result.size(); i++) {
        if (equation.extents.count(result[i]) == 0) {
            terms.complain(fmt::format("no operand has '{}'", static_cast<char>(result[i])));
        }
        if (std::count(result.begin(), result.end(), result[i]) != 1) {
            terms.complain(fmt::format("the result has '{}' twice", static_cast<char>(result[i])));
        }
    }
    return result;
}

}  // namespace

std::vector<int64_t> Equation::extents_of(const std::vector<Label> &labels) const {
    std::vector<int64_t> result;
    for (const Label label : labels) {
        result.push_back(extents.at(label));
    }
    return result;
}

Equation parse_equation(const OperatorContext &context) {
    std::string text = context.node().text("equation", "");
    std::erase(text, ' ');
    const Terms terms(context, text);
    const size_t arrow = text.find("->");
    const std::vector<std::string> operands = split_terms(text.substr(0, arrow));
    const size_t count = context.node().inputs.size();
    if (operands.size() != count) {
        terms.complain(fmt::format("it has {} terms for {} operands", operands.size(), count));
    }
    Equation equation;
    for (size_t i = 0; i < count; i++) {
        const int rank = context.input(static_cast<int>(i)).rank();
        equation.operands.push_back(terms.labels_of(operands[i], rank));
    }
    resolve_extents(context, terms, equation);
    equation.result = arrow == std::string::npos
                          ? implicit_result(equation)
                          : explicit_result(terms, text.substr(arrow + 2), equation);
    return equation;
}

std::vector<Contraction> contractions(const Equation &equation) {
    const size_t count = equation.operands.size();
    std::vector<Contraction> result;
    std::vector<Label> present = equation.operands[0];
    for (size_t next = 1; next < std::max<size_t>(count, 2); next++) {
        if (next < count) {
            const std::vector<Label> &operand = equation.operands[next];
            present.insert(present.end(), operand.begin(), operand.end());
        }
        // What the result or a later operand has stays; in the order of the result.
        std::vector<Label> needed = equation.result;
        for (size_t later = next + 1; later < count; later++) {
            const std::vector<Label> &operand = equation.operands[later];
            needed.insert(needed.end(), operand.begin(), operand.end());
        }
        Contraction product;
        for (const Label label : needed) {
            if (contains(present, label) && !contains(product.kept, label)) {
                product.kept.push_back(label);
            }
        }
        for (const Label label : present) {
            if (!contains(needed, label) && !contains(product.summed, label)) {
                product.summed.push_back(label);
            }
        }
        present = product.kept;
        result.push_back(std::move(product));
    }
    return result;
}

}  // namespace emulsion
