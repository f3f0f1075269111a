// A foreign pipeline as images that are made of images: what decisions about inlining, tiles and loops need
// to know of it. Made by autoscheduler/image_analysis from Halide Funcs; this side knows no Halide.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace emulsion {

// One coordinate of a read: `scale` times the reader's coordinate along `axis` plus `offset`, or a
// constant (axis -1). Where it is neither, `other` tells such reads apart, and bit a of `others` says whether it
// depends on the reader's coordinate along axis a.
struct TapIndex {
    int axis = -1;
    int64_t scale = 1, offset = 0;
    std::string other;
    uint64_t others = 0;
    auto operator<=>(const TapIndex &) const = default;
    bool is_constant() const { return axis < 0 && other.empty(); }
    bool depends_on(int along) const {
        return other.empty() ? axis == along : ((others >> along) & 1) != 0;
    }
};
// Where a definition reads, one index per axis of what is read.
using Tap = std::vector<TapIndex>;

// Elements needed along one axis of what is read, for a tile of t_a elements along each axis a of the
// reader: window + sum of stride_a (t_a - 1), at most all.
struct Reach {
    std::vector<double> stride;
    double window = 1.0;
};

// What one definition reads of one image.
struct ImageRead {
    int producer = -1;  // index into ImageGraph::stages, or -1: an input
    int element_bytes = 4;
    std::vector<Tap> taps;  // each once
    // Likewise, while the definition's lane loop counts as one more axis of the reader, after its own; empty if it has
    // none.
    std::vector<Tap> lane_taps;
    std::vector<Reach> all;   // per axis of the producer, while all reduction loops run
    std::vector<Reach> step;  // ... in one iteration of these
    // Per axis of the producer: later elements of the reader never read before earlier ones.
    std::vector<bool> ordered;
    // Neighbours along the reader's column axis are read from unrelated places (a table, a transpose).
    bool gathers = false;
    bool data_dependent = false;  // an index is itself read from somewhere
    bool repeats = false;         // an index is divided: neighbours read the same element
};

// The pure definition of a stage or one of its updates.
struct Definition {
    double operations = 0.0;  // per element, without those that compute addresses
    double common =
        0.0;  // of these, those that are the same for all elements along the channel axis
    std::vector<ImageRead> reads;
    bool scans = false;      // reads what its earlier iterations wrote elsewhere
    std::vector<bool> free;  // per axis: it is walked for every element, in any order
    bool is_free() const { return std::find(free.begin(), free.end(), false) == free.end(); }
    // Where it writes along the others depends on what it reads, or on the element.
    bool scatters = false;
    bool has_condition = false;    // of the element, that says in which iterations it is evaluated
    std::vector<bool> pinned{};    // per axis: a condition compares it for equality; left out: none
    std::vector<int64_t> reduced;  // extents of the reduction loops, innermost first
    // Its iterations may be added up in parts, in any order; those of one that scatters, too.
    bool adds_up = false;
    // Then the reduction loop that walks along the innermost axis of what is read, an index into `reduced`, or -1.
    int lane_loop = -1;
};

struct ImageStage {
    std::string name;
    std::string copy_of;  // of a copy that some readers have for themselves: the stage's name
    std::vector<int64_t> extents;  // innermost axis first
    // Per axis, whether its extent is a guess, and may be far shorter; left out: none.
    std::vector<bool> guessed;
    bool is_guessed(size_t axis) const { return axis < guessed.size() && guessed[axis]; }
    int element_bytes = 4;  // of all values of a tuple
    bool is_output = false;
    // Stored whole: computed by code of the user's, read by such code, with a schedule of the user's that wants
    // storage, or, were it inlined, nobody would read what readers give it as an argument, or what readers use it as an
    // index for would have no bounds.
    bool is_opaque = false;
    // The user scheduled its loops: nothing is computed in them. It is opaque too.
    bool has_own_loops = false;
    // Where it is read has no bounds: it can't be stored.
    bool is_inline_only = false;
    // Nothing but a read of an input or of another such stage, perhaps with a boundary condition.
    bool is_wrapper = false;
    bool is_tuple = false;
    // It reads at steps that only a call decides. All else is said of it as if they were one.
    bool has_unit_steps = false;
    // A tuple of which nobody reads one of the values. What only that value reads would be read by nobody, were the
    // stage inlined, and Halide ends with a signal where something else is computed for what nobody reads.
    bool has_unread_value = false;
    // What a boundary condition adds along the first axis: elements of it that are no elements of what it reads.
    int64_t outside = 0;
    // An axis of a few elements that may be unrolled, since it has as many always, or because outputs have as many
    // channels as estimated, for which it is specialised; -1: none. And whether it decides between expressions.
    int channel_axis = -1;
    bool decides_by_channel = false;
    std::vector<Definition>
        definitions;  // the pure one first; empty if the user's code computes it

    bool is_pure() const { return definitions.size() == 1; }
};

struct ImageGraph {
    std::vector<ImageStage> stages;  // producers first
};

}  // namespace emulsion
