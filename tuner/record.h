// Records of measured grids as files, for replay: lines of JSON, compressed (gzip).
#pragma once

#include <string>
#include <vector>

#include "tuner/replay.h"

namespace emulsion {

// The first line says what the file is ("schema" emulsion-tuning-record, "version" 1). Then, for every task, a line of what
// searching it needs: its space, planned and suggested nests; and a line for every point, as the values of the space's
// parameters in their order, with its outcome, the ratios of both sittings, and how long it took. Equal records give
// equal bytes. Throws Error where the file can't be written.
void write_record(const std::string &file, const std::vector<RecordedTask> &record);

// Throws Error, naming the file, for anything that writing would not have written.
std::vector<RecordedTask> read_record(const std::string &file);

// What was recorded of one network.
struct NetworkRecord {
    std::string name;
    std::vector<RecordedTask> tasks;

    size_t points() const;
};

// The same, named after the file: "a" of "folder/a.jsonl.gz".
NetworkRecord read_network_record(const std::string &file);

}  // namespace emulsion
