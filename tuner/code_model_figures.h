// How good models of code are, by replay of a store in which code and measurements of many points lie.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tuner/code_model.h"
#include "tuner/store.h"

namespace emulsion {

// Tasks of the store with at least so many points whose code is known.
std::vector<StoredCode> tasks_with(std::vector<StoredCode> tasks, size_t fewest);

// What a model has learned from points of some tasks.
std::unique_ptr<CodeModel> fitted(const CodeModelKind &kind, uint64_t seed,
                                  const std::vector<StoredCode> &tasks,
                                  const std::vector<std::vector<size_t>> &points);

// By task: the share of pairs of points that the model has in the wrong order, ties for half; of points that it has not learned from. 0.5 is chance. Of
// pairs that differ by less than 2 %, which is noise, nothing is asked.
using RankErrors = std::vector<double>;

// Every fifth task held out, in turns: models learn from all others.
RankErrors errors_of_held_out_tasks(const std::vector<StoredCode> &tasks, const CodeModelKind &kind,
                                    uint64_t seed);
// Every fifth point of each task held out, drawn at random.
RankErrors errors_of_held_out_points(const std::vector<StoredCode> &tasks,
                                     const CodeModelKind &kind, uint64_t seed);

// A search of the task's points: batches of 16, drawn at random at first, then of 64 drawn at random those that the model, which learns
// what was measured, thinks fastest; without a model ("") all at random. By number of trials, ascending: the ratio of the fastest one so far over that of the fastest of all.
std::vector<double> found_by_search(const StoredCode &task, const std::string &model, uint64_t seed,
                                    const std::vector<size_t> &trials);

}  // namespace emulsion
