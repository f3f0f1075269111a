// Lowered code as a graph, which models of its time learn from (J. M. Tomczak, R. Lepert, A. Wiggers, RLGM workshop at ICLR 2019).
#pragma once

#include <Halide.h>

#include <string>
#include <vector>

namespace emulsion {

// Rises where equal code gets another graph.
constexpr int kProgramGraphVersion = 1;

// A row for every node of the syntax tree, the root first and every other one behind its parent. Copies that unrolling has made of a
// statement are one node, which says how many there are. Nodes are loops, allocations, statements, and of these the buffers that they
// read and write, and their operations by kind.
//
//   parent      position of the node above, from 1; 0 of the root
//   allocation  of a buffer that is read or written: position of the node of its allocation, from 1; 0: it has none in the code
//   kind        position in program_node_kinds()
//   ...         program_node_numbers(), magnitudes as logarithms to base 2 (of 1 more); 0 where a kind lacks them
std::vector<std::vector<float>> program_graph(const Halide::Internal::Stmt &statement);

const std::vector<std::string> &program_node_kinds();
const std::vector<std::string> &program_node_numbers();

}  // namespace emulsion
