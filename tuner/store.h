// The store of what was measured: an SQLite file, which sessions of any number of models, machines and processes
// share. docs/tuning.md describes its tables.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <map>
#include <string>
#include <vector>

#include "fusion/code_features.h"
#include "tuner/database.h"
#include "tuner/outcome.h"
#include "tuner/task.h"

namespace emulsion {

// What a session is kept with.
struct SessionRecord {
    std::string strategy;
    uint64_t seed = 0;
    std::string arguments;  // as users gave them, JSON
    std::string build;      // of the compiler: measurements of one say nothing of another's code
    std::string facts;      // of the processor
};

// What was measured of a task, with the features of its points (tuner/features.h).
struct StoredSamples {
    std::string problem, label;
    TuningScope scope;
    std::string planned;             // point_text
    std::vector<std::string> names;  // of features
    std::vector<std::vector<float>> features;
    std::vector<Result> results;  // of the same points: each as it was measured last
};

// What was measured of a task, with what points are lowered to.
struct StoredCode {
    std::string problem, label;
    TuningScope scope;
    std::string planned;  // point_text
    std::vector<CodeFeatures> code;
    std::vector<Result> results;  // of the same points: each as it was measured last
};

class Store {
public:
    // Opens a store, or makes one. Throws Error for a file that is none, that is damaged, or that a newer version has
    // written.
    explicit Store(const std::string &file);

    // Keeps a session; its number.
    int64_t begin(const SessionRecord &session);
    // Keeps a batch of a session, all of it or, when this process dies, nothing, with the features of its points. `sitting`
    // counts from 0.
    void add(int64_t session, int sitting, const TuningTask &task,
             const std::vector<Result> &results);
    // Keeps what points of a task are lowered to.
    void add_code(const TuningTask &task, const std::vector<Nest> &nests,
                  const std::vector<CodeFeatures> &code, const CodeFeatureVersions &versions);
    // The same by point_text: those that have features of both versions.
    std::map<std::string, CodeFeatures> code(const TuningTask &task,
                                             const CodeFeatureVersions &versions);
    // What was measured of a task, beside the nest that is planned for it, with that build of the compiler: each point
    // once, as it was measured last.
    std::vector<Result> results(const TuningTask &task, const std::string &build);

    // Of all tasks that were measured with that build of the compiler (empty: with any), those points whose features have this program's version; in the
    // order in which tasks came.
    std::vector<StoredSamples> samples(const std::string &build = "");

    // Of all tasks, those points of which the code is known in these versions; in the order in which tasks came.
    std::vector<StoredCode> measured_code(const CodeFeatureVersions &versions);

    // All measurements as lines of JSON, oldest first; and those of another store into this one, which may have some
    // of them already: how many are new. Importing throws Error, naming `place` and the line, for lines that are not
    // what exporting writes, and then takes none.
    void export_lines(std::ostream &lines);
    int64_t import_lines(std::istream &lines, const std::string &place);

private:
    void check_and_make();
    int64_t id_of(const std::string &table, const std::string &column, const std::string &value);
    int64_t session_id(const std::string &key, const SessionRecord &session);
    bool insert(int64_t session, int sitting, int64_t task, const Result &result);
    int64_t task_id(const TuningTask &task);
    int64_t candidate_id(int64_t task, const std::string &point);
    int64_t names_id(int64_t task, const std::string &kind, int version, const std::string &names);
    void insert_feature(int64_t task, const Nest &nest, int64_t names, const std::string &data);
    void insert_features(int64_t task_id, const TuningTask &task,
                         const std::vector<Result> &results);

    Database database_;
};

}  // namespace emulsion
