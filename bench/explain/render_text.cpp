#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bench/explain/choices.h"
#include "bench/explain/reasons.h"
#include "bench/explain/render.h"
#include "bench/units.h"

namespace emulsion {

namespace {

// "1.20", or "-" for none.
std::string millions(double count) {
    return count == 0.0 ? "-" : fmt::format("{:.2f}", count * 1e-6);
}

// What the search says of the plan; empty where there was none.
std::string search_text(const SearchReport &search) {
    if (search.states == 0) {
        return "";
    }
    std::string text = fmt::format(
        ", {} by a search of {} operators and {} groups",
        search.proven_optimal ? "proven least without groups across views" : "not proven least",
        search.states, search.groups);
    if (search.duplication_tries > 0) {
        text += fmt::format(" ({} tr{} of duplication)", search.duplication_tries,
                            search.duplication_tries == 1 ? "y" : "ies");
    }
    if (search.layouts > 1) {
        text += fmt::format(", the cheapest of {} ways for values to lie", search.layouts);
    }
    return text;
}

void print_summary(const Explanation &explanation) {
    fmt::print("{} for {}, policy {}, {} thread{}\n", explanation.model, explanation.target,
               explanation.policy, explanation.threads, explanation.threads == 1 ? "" : "s");
    fmt::print("{} operators in {} groups, fusion ratio {:.2f}; {} distinct units\n",
               explanation.operator_count, explanation.launched, explanation.fusion_ratio(),
               explanation.units);
    fmt::print("moved    {:.2f} MB a run, {:.2f} million multiply-adds\n",
               megabytes(explanation.bytes_moved), explanation.multiply_adds * 1e-6);
    fmt::print("predicted {:.3f} ms{}\n", explanation.predicted_ms,
               search_text(explanation.search));
    fmt::print("arena    {:.2f} MB (live {:.2f} MB), weights {:.2f} MB apart\n",
               megabytes(explanation.arena_bytes), megabytes(explanation.live_bytes),
               megabytes(explanation.weights_bytes));
}

void print_group_table(const Explanation &explanation) {
    fmt::print("\n{:>5}  {:<16}{:>10}{:>11}{:>11}{:>11}  {}\n", "group", "loop nest", "read MB",
               "written MB", "M mul-add", "predicted", "operators");
    for (const ExplainedGroup &group : explanation.groups) {
        if (!group.launched()) {
            fmt::print("{:>5}  {:<16}{:>10}{:>11}{:>11}{:>11}  {}\n", "-", "view", "-", "-", "-",
                       "-", group.label);
            continue;
        }
        fmt::print("{:>5}  {:<16}{:>10.3f}{:>11.3f}{:>11}{:>11}  {}\n", group.launch, group.what(),
                   megabytes(group.work.bytes_read), megabytes(group.work.bytes_written),
                   millions(group.work.multiply_adds),
                   group.predicted_ms > 0.0 ? fmt::format("{:.4f}", group.predicted_ms) : "-",
                   group.label);
    }
}

void print_tensor(const char *what, const ExplainedTensor &tensor) {
    fmt::print("  {:<9} {:<24} {:<22} {:<8} {:>9.3f} MB  {}{}\n", what, tensor.name,
               describe(tensor.type, tensor.shape), tensor.storage, megabytes(tensor.bytes),
               describe(tensor.layout),
               tensor.view_of.empty() ? "" : ", a view of " + tensor.view_of);
}

void print_group(const Explanation &explanation, const ExplainedGroup &group) {
    fmt::print("\ngroup {}: {}, {}\n",
               group.launched() ? fmt::format("{}", group.launch) : std::string("-"), group.kind,
               group.label);
    for (const int member : group.members) {
        const ExplainedOperator &op = explanation.operators[static_cast<size_t>(member)];
        fmt::print("  {:<9} {:<24} {:<22} {:<13} {:<16} {}\n", "operator", op.name, op.type,
                   op.mapping, op.implementation, describe_placement(group, member));
    }
    for (const ExplainedNest &nest : group.nests) {
        if (!nest.nest.empty()) {
            fmt::print("  {:<9} {}\n", "loop nest", describe(nest.nest));
        }
    }
    for (const ExplainedTensor &input : group.inputs) {
        print_tensor("reads", input);
    }
    print_tensor("writes", group.output);
    if (group.launched()) {
        fmt::print(
            "  {:<9} read {:.3f} MB, written {:.3f} MB, {:.3f} million multiply-adds; unit {}\n",
            "work", megabytes(group.work.bytes_read), megabytes(group.work.bytes_written),
            group.work.multiply_adds * 1e-6, group.unit);
    }
}

// Operators that have several implementations, those of equal prices in one line.
void print_choices(const Explanation &explanation, bool verbose) {
    if (explanation.choices.empty()) {
        return;
    }
    fmt::print(
        "\noperators with several implementations: the one taken, and what each takes by itself\n");
    for (const ChoiceKind &kind : kinds_of_choices(explanation.choices)) {
        const ExplainedChoice &first = explanation.choices[kind.choices.front()];
        fmt::print("{:>5}  {:<18}{} ({})\n", kind.choices.size(), first.implementation,
                   prices_text(first), first.name);
        for (const size_t i : verbose ? kind.choices : std::vector<size_t>()) {
            fmt::print("         {}\n", explanation.choices[i].name);
        }
    }
}

// The kernels of AMD GPUs.
void print_kernels(const Explanation &explanation) {
    if (explanation.kernels.empty()) {
        return;
    }
    fmt::print(
        "\nlargest kernels on each chip: registers, waves that a SIMD keeps, and the loop with the most "
        "multiply-adds\n");
    fmt::print("{:>5}  {:<8}{:>8}{:>7}{:>7}{:>9}{:>8}{:>9}{:>7}{:>7}{:>7}{:>7}\n", "group", "chip",
               "threads", "vgprs", "sgprs", "LDS", "waves", "mul-adds", "fused", "loads", "LDS",
               "scalar");
    for (const KernelReport &kernel : explanation.kernels) {
        const InstructionMix &loop = kernel.code.hottest;
        fmt::print("{:>5}  {:<8}{:>8}{:>7}{:>7}{:>9}{:>8}{:>9}{:>6.0f}%{:>7}{:>7}{:>7}\n",
                   kernel.launch, kernel.chip, kernel.threads, kernel.vector_registers,
                   kernel.scalar_registers, kernel.lds_bytes,
                   fmt::format("{}/{}", kernel.waves, kernel.most_waves), loop.multiply_adds(),
                   100.0 * loop.fma_share(), loop.global_loads, loop.lds_loads, loop.scalar_loads);
    }
}

void print_duplications(const Explanation &explanation) {
    if (explanation.duplications.empty()) {
        return;
    }
    fmt::print("\nduplicated: computed where it is read, and what that wins by prediction\n");
    for (const ExplainedDuplication &duplication : explanation.duplications) {
        fmt::print("{:>9.4f} ms  {}\n", duplication.predicted_won_ms,
                   describe(explanation, duplication));
    }
}

// Neighbours that are not in one group: by kind of reason, the most frequent first, with an example of each; all of
// them where everything is asked for.
void print_refusals(const std::vector<Refusal> &refusals, bool verbose) {
    if (refusals.empty()) {
        return;
    }
    const auto pair = [&](size_t i) {
        return fmt::format("{} -> {}", refusals[i].producer, refusals[i].consumer);
    };
    fmt::print("\nneighbours that are not in one group, and why\n");
    for (const ReasonKind &kind : kinds_of_reasons(refusals)) {
        fmt::print("{:>5}  {}{}\n", kind.refusals.size(), kind.text,
                   verbose ? "" : fmt::format(" ({})", pair(kind.refusals.front())));
        for (const size_t i : verbose ? kind.refusals : std::vector<size_t>()) {
            fmt::print("         {}: {}\n", pair(i), refusals[i].reason);
        }
    }
}

}  // namespace

void print_explanation(const Explanation &explanation, bool verbose) {
    print_summary(explanation);
    if (verbose) {
        for (const ExplainedGroup &group : explanation.groups) {
            print_group(explanation, group);
        }
    } else {
        print_group_table(explanation);
    }
    print_choices(explanation, verbose);
    print_kernels(explanation);
    print_duplications(explanation);
    print_refusals(explanation.refusals, verbose);
}

}  // namespace emulsion
