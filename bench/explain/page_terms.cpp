#include <fmt/format.h>

#include "bench/explain/markup.h"
#include "bench/explain/page_tables.h"

namespace emulsion {

namespace {

struct Term {
    const char *word, *meaning;
};

struct Chapter {
    const char *title;
    std::initializer_list<Term> terms;
};

const Chapter kChapters[] = {
    {"Groups",
     {{"group",
       "Operators that one kernel computes together: what they hand to each other stays in "
       "registers or caches. Its number is its place in a run."},
      {"compute, convert, view",
       "Kinds of groups: a compute group computes operators; a convert group copies a tensor into "
       "another layout; a view moves no data and launches no kernel."},
      {"unit",
       "The machine code of a group. Groups that compute the same on equal shapes share one."},
      {"fusion ratio", "Operators over groups that launch a kernel."},
      {"loop nest",
       "The loops that a group runs in: a template, such as convolution or elementwise, "
       "with parameters (tiles, vectors, tasks)."},
      {"implementation",
       "A way to compute an operator: direct; flattened_pixels, a 1x1 convolution as a matrix product "
       "over all pixels; winograd_2x2 and winograd_4x4, a 3x3 convolution with fewer multiplications, "
       "as several operators; phases, a transposed convolution as a convolution without strides."},
      {"duplicated", "Computed in every group that reads it, instead of being stored once."}}},
    {"Placements: where a result, or a part of it, is computed",
     {{"inline", "In the expressions that read it, again for each."},
      {"register", "In the innermost tile of the loop nest, in registers."},
      {"panel", "For a few rows of the loop nest at a time, in the cache."},
      {"whole", "All of it, before the loops of the group's result, in the cache."},
      {"root", "The group's result, written to memory."}}},
    {"Mapping types: which elements of its operand an element of the result needs",
     {{"One-to-One", "The one at the same place."},
      {"Reorganize", "One; the shape differs, the order in memory does not."},
      {"Shuffle", "One, at another place: a transposition."},
      {"One-to-Many", "One that several elements of the result need: a broadcast."},
      {"Many-to-Many", "Several: a sum, a window."},
      {"Opaque", "Known only when it runs, or by no rule."}}},
    {"Times",
     {{"predicted", "By the cost model, with the constants of the machine that was planned for."},
      {"measured",
       "Of a profile: the median of the group in runs of the whole network. What a run does "
       "between groups is in no group."},
      {"ratio",
       "Predicted over measured. Below 1 the group is slower than predicted; ratios beyond 1.5 "
       "either way stand out."}}},
    {"Memory",
     {{"layout",
       "The order of a tensor's axes in memory: row-major, or channels last; perhaps with one "
       "axis in blocks."},
      {"halo", "A margin around a tensor that holds what its readers expect outside of it."},
      {"arena", "Memory for values between groups. Values that are never needed at once share it."},
      {"moved",
       "Bytes of the tensors that kernels read and write, weights included, each counted once "
       "for a kernel."},
      {"multiply-adds", "Of sums of products of two tensors: convolutions and matrix products."}}},
    {"Edges",
     {{"producer, consumer", "The operator that makes a value, and one that reads it."},
      {"read outside of the group",
       "A group stores one result; a value that others need as well has to "
       "be the result of a group."},
      {"together they would take longer",
       "Both in one group were possible, and are predicted to be "
       "slower: because of recomputation or a worse loop nest."}}},
};

}  // namespace

std::string term_list() {
    std::string html = "<h2 id=\"terms\">Terms</h2>\n<div class=\"terms\">\n";
    for (const Chapter &chapter : kChapters) {
        html += fmt::format("<h3>{}</h3>\n<dl>\n", chapter.title);
        for (const Term &term : chapter.terms) {
            html += fmt::format("<dt>{}</dt><dd>{}</dd>\n", term.word, escape_markup(term.meaning));
        }
        html += "</dl>\n";
    }
    return html + "</div>\n";
}

}  // namespace emulsion
