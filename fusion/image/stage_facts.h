// What decisions about a stage of an image graph ask of the graph alone.
#pragma once

#include <vector>

#include "fusion/image/image_graph.h"

namespace emulsion {

// Of the stages that there are when it is made.
class StageFacts {
public:
    explicit StageFacts(const ImageGraph &graph);

    // An input with a boundary condition.
    bool is_boundary(int i) const;
    // One number that is made of such numbers alone, and of parameters.
    bool is_constant(int i) const;
    // A few numbers that everybody reads. In a pipeline of rows alone a row is what is computed in tiles.
    bool is_table(int i) const;
    // One value for each row or column of those that read it: a mean, a sum. Each reads it at its own place along the
    // axis that is returned, that of an image where there is one; -1: it is no such stage.
    int axis_of_values(int i) const { return axes_of_values_[static_cast<size_t>(i)]; }
    // A sum over updates that are much larger than itself, most of which are never needed at once: as the
    // root of a group it can have them computed in its reduction loops.
    bool sums_larger(int i) const;

private:
    const ImageStage &stage(int i) const { return graph_->stages[static_cast<size_t>(i)]; }
    double elements(int i) const;
    bool reads_large_update(int i, double least) const;
    int find_axis_of_values(int i) const;

    const ImageGraph *graph_;
    bool has_rows_alone_;
    std::vector<int> axes_of_values_;  // per stage
};

// Whether a definition of `stage` does; and the stages of which that is true.
bool reads(const ImageStage &stage, int producer);
std::vector<int> readers_of(const ImageGraph &graph, int producer);

// Whether a reader reads there what lies at its own place.
bool is_own_place(const Tap &tap);

}  // namespace emulsion
