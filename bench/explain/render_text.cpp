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

void add_summary(std::string &text, const Explanation &explanation) {
    text +=
        fmt::format("{} for {}, policy {}, {} thread{}\n", explanation.model, explanation.target,
                    explanation.policy, explanation.threads, explanation.threads == 1 ? "" : "s");
    text += fmt::format("{} operators in {} groups, fusion ratio {:.2f}; {} distinct units\n",
                        explanation.operator_count, explanation.launched,
                        explanation.fusion_ratio(), explanation.units);
    text += fmt::format("moved    {:.2f} MB a run, {:.2f} million multiply-adds\n",
                        megabytes(explanation.bytes_moved), explanation.multiply_adds * 1e-6);
    text += fmt::format("predicted {:.3f} ms{}\n", explanation.predicted_ms,
                        search_text(explanation.search));
    if (explanation.is_measured()) {
        text +=
            fmt::format("measured {:.3f} ms, the groups one by one in {}: predicted is {} of it\n",
                        explanation.measured_ms, explanation.profile,
                        ratio_text(explanation.predicted_ms, explanation.measured_ms));
    }
    text += fmt::format("arena    {:.2f} MB (live {:.2f} MB), weights {:.2f} MB apart\n",
                        megabytes(explanation.arena_bytes), megabytes(explanation.live_bytes),
                        megabytes(explanation.weights_bytes));
}

void add_group_table(std::string &text, const Explanation &explanation) {
    const bool measured = explanation.is_measured();
    const auto line = [&](const std::vector<std::string> &cells, const std::string &operators) {
        text += fmt::format("{:>5}  {:<16}{:>10}{:>11}{:>11}{:>11}", cells[0], cells[1], cells[2],
                            cells[3], cells[4], cells[5]);
        text += measured ? fmt::format("{:>11}{:>7}", cells[6], cells[7]) : "";
        text += fmt::format("  {}\n", operators);
    };
    text += '\n';
    line({"group", "loop nest", "read MB", "written MB", "M mul-add", "predicted", "measured",
          "ratio"},
         "operators");
    for (const ExplainedGroup &group : explanation.groups) {
        if (!group.launched()) {
            line({"-", "view", "-", "-", "-", "-", "-", "-"}, group.label);
            continue;
        }
        line({group.number(), group.what(), fmt::format("{:.3f}", megabytes(group.work.bytes_read)),
              fmt::format("{:.3f}", megabytes(group.work.bytes_written)),
              millions(group.work.multiply_adds), time_text(group.predicted_ms),
              time_text(group.measured_ms), ratio_text(group.predicted_ms, group.measured_ms)},
             group.label);
    }
}

void add_tensor(std::string &text, const char *what, const ExplainedTensor &tensor) {
    text += fmt::format("  {:<9} {:<24} {:<22} {:<8} {:>9.3f} MB  {}{}\n", what, tensor.name,
                        describe(tensor.type, tensor.shape), tensor.storage,
                        megabytes(tensor.bytes), describe(tensor.layout),
                        tensor.view_of.empty() ? "" : ", a view of " + tensor.view_of);
}

void add_group(std::string &text, const Explanation &explanation, const ExplainedGroup &group) {
    text += fmt::format("\ngroup {}: {}, {}\n",
                        group.launched() ? fmt::format("{}", group.launch) : std::string("-"),
                        group.kind, group.label);
    for (const int member : group.members) {
        const ExplainedOperator &op = explanation.operators[static_cast<size_t>(member)];
        text +=
            fmt::format("  {:<9} {:<24} {:<22} {:<13} {:<16} {}\n", "operator", op.name, op.type,
                        op.mapping, op.implementation, describe_placement(group, member));
    }
    for (const ExplainedNest &nest : group.nests) {
        if (!nest.nest.empty()) {
            text += fmt::format("  {:<9} {}\n", "loop nest", describe(nest.nest));
        }
    }
    for (const ExplainedTensor &input : group.inputs) {
        add_tensor(text, "reads", input);
    }
    add_tensor(text, "writes", group.output);
    if (group.launched()) {
        text += fmt::format(
            "  {:<9} read {:.3f} MB, written {:.3f} MB, {:.3f} million multiply-adds; unit {}\n",
            "work", megabytes(group.work.bytes_read), megabytes(group.work.bytes_written),
            group.work.multiply_adds * 1e-6, group.unit);
        text += fmt::format("  {:<9} predicted {} ms", "time", time_text(group.predicted_ms));
        text += explanation.is_measured()
                    ? fmt::format(", measured {} ms: predicted is {} of it\n",
                                  time_text(group.measured_ms),
                                  ratio_text(group.predicted_ms, group.measured_ms))
                    : "\n";
    }
}

// Operators that have several implementations, those of equal prices in one line.
void add_choices(std::string &text, const Explanation &explanation, bool verbose) {
    if (explanation.choices.empty()) {
        return;
    }
    text += fmt::format(
        "\noperators with several implementations: the one taken, and what each takes by itself\n");
    for (const ChoiceKind &kind : kinds_of_choices(explanation.choices)) {
        const ExplainedChoice &first = explanation.choices[kind.choices.front()];
        text += fmt::format("{:>5}  {:<18}{} ({})\n", kind.choices.size(), first.implementation,
                            prices_text(first), first.name);
        for (const size_t i : verbose ? kind.choices : std::vector<size_t>()) {
            text += fmt::format("         {}\n", explanation.choices[i].name);
        }
    }
}

// The kernels of AMD GPUs.
void add_kernels(std::string &text, const Explanation &explanation) {
    if (explanation.kernels.empty()) {
        return;
    }
    text += fmt::format(
        "\nlargest kernels on each chip: registers, waves that a SIMD keeps, and the loop with the most "
        "multiply-adds\n");
    text += fmt::format("{:>5}  {:<8}{:>8}{:>7}{:>7}{:>9}{:>8}{:>9}{:>7}{:>7}{:>7}{:>7}\n", "group",
                        "chip", "threads", "vgprs", "sgprs", "LDS", "waves", "mul-adds", "fused",
                        "loads", "LDS", "scalar");
    for (const KernelReport &kernel : explanation.kernels) {
        const InstructionMix &loop = kernel.code.hottest;
        text += fmt::format("{:>5}  {:<8}{:>8}{:>7}{:>7}{:>9}{:>8}{:>9}{:>6.0f}%{:>7}{:>7}{:>7}\n",
                            kernel.launch, kernel.chip, kernel.threads, kernel.vector_registers,
                            kernel.scalar_registers, kernel.lds_bytes,
                            fmt::format("{}/{}", kernel.waves, kernel.most_waves),
                            loop.multiply_adds(), 100.0 * loop.fma_share(), loop.global_loads,
                            loop.lds_loads, loop.scalar_loads);
    }
}

void add_duplications(std::string &text, const Explanation &explanation) {
    if (explanation.duplications.empty()) {
        return;
    }
    text +=
        fmt::format("\nduplicated: computed where it is read, and what that wins by prediction\n");
    for (const ExplainedDuplication &duplication : explanation.duplications) {
        text += fmt::format("{:>9.4f} ms  {}\n", duplication.predicted_won_ms,
                            describe(explanation, duplication));
    }
}

// Neighbours that are not in one group: by kind of reason, the most frequent first, with an example of each; all of
// them where everything is asked for.
void add_refusals(std::string &text, const std::vector<Refusal> &refusals, bool verbose) {
    if (refusals.empty()) {
        return;
    }
    const auto pair = [&](size_t i) {
        return fmt::format("{} -> {}", refusals[i].producer, refusals[i].consumer);
    };
    text += fmt::format("\nneighbours that are not in one group, and why\n");
    for (const ReasonKind &kind : kinds_of_reasons(refusals)) {
        text += fmt::format("{:>5}  {}{}\n", kind.refusals.size(), kind.text,
                            verbose ? "" : fmt::format(" ({})", pair(kind.refusals.front())));
        for (const size_t i : verbose ? kind.refusals : std::vector<size_t>()) {
            text += fmt::format("         {}: {}\n", pair(i), refusals[i].reason);
        }
    }
}

}  // namespace

std::string explanation_text(const Explanation &explanation, bool verbose) {
    std::string text;
    add_summary(text, explanation);
    if (verbose) {
        for (const ExplainedGroup &group : explanation.groups) {
            add_group(text, explanation, group);
        }
    } else {
        add_group_table(text, explanation);
    }
    add_choices(text, explanation, verbose);
    add_kernels(text, explanation);
    add_duplications(text, explanation);
    add_refusals(text, explanation.refusals, verbose);
    return text;
}

}  // namespace emulsion
