// What the store keeps of lowered code.
#include <algorithm>
#include <string>

#include "tuner/feature_rows.h"
#include "tuner/points.h"
#include "tuner/store.h"

namespace emulsion {

namespace {

const std::string kStatementFeatures = "statement", kNodeFeatures = "node";

// Joins that give, of candidates, both kinds of features: columns `statements.data` and `nodes.data`.
const std::string kCode =
    "JOIN feature AS statements ON statements.candidate = candidate.id "
    "JOIN feature_names AS statement_names ON statement_names.id = statements.names "
    "JOIN feature AS nodes ON nodes.candidate = candidate.id "
    "JOIN feature_names AS node_names ON node_names.id = nodes.names ";
const std::string kOfVersions =
    "statement_names.kind = ? AND statement_names.version = ? AND node_names.kind = ? AND node_names.version = ? ";

void bind(Statement &read, const CodeFeatureVersions &versions) {
    read.bind(1, kStatementFeatures)
        .bind(2, static_cast<int64_t>(versions.statements))
        .bind(3, kNodeFeatures)
        .bind(4, static_cast<int64_t>(versions.nodes));
}

}  // namespace

void Store::add_code(const TuningTask &task, const std::vector<Nest> &nests,
                     const std::vector<CodeFeatures> &code, const CodeFeatureVersions &versions) {
    Transaction transaction(database_);
    const int64_t known = task_id(task);
    // The version says what their names are.
    const int64_t statements = names_id(known, kStatementFeatures, versions.statements, "[]");
    const int64_t nodes = names_id(known, kNodeFeatures, versions.nodes, "[]");
    for (size_t i = 0; i < std::min(nests.size(), code.size()); i++) {
        if (!code[i].empty()) {
            insert_feature(known, nests[i], statements, to_text(code[i].statements));
            insert_feature(known, nests[i], nodes, to_text(code[i].nodes));
        }
    }
    transaction.commit();
}

std::map<std::string, CodeFeatures> Store::code(const TuningTask &task,
                                                const CodeFeatureVersions &versions) {
    Statement read(database_, "SELECT point, statements.data, nodes.data FROM candidate " + kCode +
                                  "WHERE " + kOfVersions + "AND candidate.task = ?");
    bind(read, versions);
    read.bind(5, task_id(task));
    std::map<std::string, CodeFeatures> code;
    while (read.step()) {
        code.emplace(read.text(0), CodeFeatures{feature_rows_from(read.text(1)),
                                                feature_rows_from(read.text(2))});
    }
    return code;
}

std::vector<StoredCode> Store::measured_code(const CodeFeatureVersions &versions) {
    Statement read(
        database_,
        "SELECT task.id, problem, label, target, threads, fingerprint, planned, statements.data, nodes.data, "
        "point, outcome, ratio, ms, seconds, why "
        "FROM measurement JOIN candidate ON candidate.id = measurement.candidate " +
            kCode +
            "JOIN task ON task.id = candidate.task "
            "JOIN machine ON machine.id = task.machine WHERE " +
            kOfVersions + "ORDER BY task.id, measurement.id DESC");
    bind(read, versions);
    std::vector<StoredCode> all;
    int64_t task = -1;
    KnownPoints known;
    while (read.step()) {
        if (read.integer(0) != task) {
            task = read.integer(0);
            known = KnownPoints();
            all.push_back({.problem = read.text(1),
                           .label = read.text(2),
                           .scope = {read.text(3), static_cast<int>(read.integer(4)), read.text(5)},
                           .planned = read.text(6)});
        }
        Nest nest = point_from(read.text(9));
        if (known.add(nest)) {
            all.back().code.push_back(
                {feature_rows_from(read.text(7)), feature_rows_from(read.text(8))});
            all.back().results.push_back({std::move(nest), outcome_from(read.text(10)),
                                          read.real(11), read.real(12), read.real(13),
                                          read.text(14)});
        }
    }
    return all;
}

}  // namespace emulsion
