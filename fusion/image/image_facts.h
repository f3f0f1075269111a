// What is known of an image graph, whatever the point of its space: sizes.
#pragma once

#include <memory>

#include "fusion/image/image_graph.h"
#include "fusion/point_facts.h"

namespace emulsion {

// Of image_space(): extents of the outputs, logarithms to base 2 (of 1 more). Nothing of points: to decide what one of them leaves open, so that it
// has a price, takes milliseconds (fusion/image/decisions_at.h), and models look at ten thousand before one is measured.
std::unique_ptr<PointFacts> image_facts(const ImageGraph &graph);

}  // namespace emulsion
