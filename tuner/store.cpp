#include "tuner/store.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstdio>
#include <limits>
#include <random>
#include <utility>

#include <nlohmann/json.hpp>

#include "fusion/error.h"
#include "tuner/features.h"
#include "tuner/points.h"
#include "tuner/store_schema.h"

namespace emulsion {

namespace {

using Json = nlohmann::json;

// "EMUL": marks the file as ours.
constexpr int64_t kApplication = 0x454D554C;

const std::string kPointFeatures = "point";

// Whole steps of a thousandth: models look at logarithms.
std::string features_text(const std::vector<float> &features) {
    Json values = Json::array();
    for (const float value : features) {
        constexpr double kSteps = 1000.0;
        values.push_back(std::isnan(value) ? Json() : Json(std::round(value * kSteps) / kSteps));
    }
    return values.dump();
}

std::vector<float> features_from(const std::string &text) {
    std::vector<float> features;
    for (const Json &value : Json::parse(text)) {
        features.push_back(value.is_null() ? std::numeric_limits<float>::quiet_NaN()
                                           : value.get<float>());
    }
    return features;
}

int64_t pragma(Database &database, const std::string &name) {
    Statement statement(database, "PRAGMA " + name);
    return statement.step() ? statement.integer(0) : 0;
}

}  // namespace

Store::Store(const std::string &file) : database_(file) {
    try {
        check_and_make();
    } catch (const Error &error) {
        if (error.kind() == ErrorKind::Refused) {
            throw;
        }
        // SQLite reads nothing before the first statement.
        throw Error("is no store of measurements, or a damaged one (" + error.message() + ")",
                    {.file = file});
    }
}

void Store::check_and_make() {
    Transaction transaction(database_);
    const int64_t tables = [&] {
        Statement count(database_, "SELECT count(*) FROM sqlite_master");
        count.step();
        return count.integer(0);
    }();
    if (tables == 0) {
        database_.run(kStoreTables);
        database_.run(kFeatureTables);
        database_.run("PRAGMA application_id = " + std::to_string(kApplication));
        database_.run("PRAGMA user_version = " + std::to_string(kStoreVersion));
        transaction.commit();
        // Readers do not wait for the writer, and what was committed outlives a crash of this process.
        database_.run("PRAGMA journal_mode = WAL");
    } else {
        if (pragma(database_, "application_id") != kApplication) {
            throw Error("is an SQLite file, but no store of measurements",
                        {.file = database_.file()});
        }
        const int64_t version = pragma(database_, "user_version");
        if (version == 1) {
            database_.run(kFeatureTables);
            database_.run("PRAGMA user_version = " + std::to_string(kStoreVersion));
            transaction.commit();
        } else if (version != kStoreVersion) {
            throw Error("is a store of version " + std::to_string(version) +
                            ", and this program reads version " + std::to_string(kStoreVersion),
                        {.file = database_.file()});
        }
        Statement check(database_, "PRAGMA quick_check(1)");
        if (!check.step() || check.text(0) != "ok") {
            throw Error("is a damaged store of measurements (" + check.text(0) + ")",
                        {.file = database_.file()});
        }
    }
    database_.run("PRAGMA foreign_keys = ON");
}

int64_t Store::id_of(const std::string &table, const std::string &column,
                     const std::string &value) {
    Statement(database_, "INSERT OR IGNORE INTO " + table + "(" + column + ") VALUES (?)")
        .bind(1, value)
        .run();
    Statement find(database_, "SELECT id FROM " + table + " WHERE " + column + " = ?");
    find.bind(1, value).step();
    return find.integer(0);
}

int64_t Store::begin(const SessionRecord &session) {
    // The same in every store that this one's measurements are brought to.
    std::random_device random;
    std::string key;
    for (int word = 0; word < 4; word++) {
        std::array<char, 9> text{};
        std::snprintf(text.data(), text.size(), "%08x", static_cast<unsigned>(random()));
        key += text.data();
    }
    Transaction transaction(database_);
    const int64_t id = session_id(key, session);
    transaction.commit();
    return id;
}

int64_t Store::session_id(const std::string &key, const SessionRecord &session) {
    const int64_t build = id_of("build", "hash", session.build);
    Statement(database_,
              "INSERT OR IGNORE INTO session(key, strategy, seed, arguments, facts, build) "
              "VALUES (?, ?, ?, ?, ?, ?)")
        .bind(1, key)
        .bind(2, session.strategy)
        .bind(3, static_cast<int64_t>(session.seed))
        .bind(4, session.arguments)
        .bind(5, session.facts)
        .bind(6, build)
        .run();
    Statement find(database_, "SELECT id FROM session WHERE key = ?");
    find.bind(1, key).step();
    return find.integer(0);
}

int64_t Store::task_id(const TuningTask &task) {
    const int64_t machine = id_of("machine", "fingerprint", task.scope.machine);
    const std::string planned = point_text(task.planned);
    Statement(database_, "INSERT OR IGNORE INTO task(problem, target, threads, machine, planned, "
                         "label) VALUES (?, ?, ?, ?, ?, ?)")
        .bind(1, task.problem)
        .bind(2, task.scope.target)
        .bind(3, static_cast<int64_t>(task.scope.threads))
        .bind(4, machine)
        .bind(5, planned)
        .bind(6, task.label)
        .run();
    Statement find(database_, "SELECT id FROM task WHERE problem = ? AND target = ? AND "
                              "threads = ? AND machine = ? AND planned = ?");
    find.bind(1, task.problem)
        .bind(2, task.scope.target)
        .bind(3, static_cast<int64_t>(task.scope.threads))
        .bind(4, machine)
        .bind(5, planned)
        .step();
    return find.integer(0);
}

int64_t Store::candidate_id(int64_t task, const std::string &point) {
    Statement(database_, "INSERT OR IGNORE INTO candidate(task, point) VALUES (?, ?)")
        .bind(1, task)
        .bind(2, point)
        .run();
    Statement find(database_, "SELECT id FROM candidate WHERE task = ? AND point = ?");
    find.bind(1, task).bind(2, point).step();
    return find.integer(0);
}

bool Store::insert(int64_t session, int sitting, int64_t task, const Result &result) {
    assert(std::isfinite(result.ratio) && std::isfinite(result.ms) &&
           std::isfinite(result.seconds));
    const int64_t candidate = candidate_id(task, point_text(result.nest));
    Statement(database_, "INSERT OR IGNORE INTO measurement(candidate, session, sitting, outcome, "
                         "ratio, ms, seconds, why) VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
        .bind(1, candidate)
        .bind(2, session)
        .bind(3, static_cast<int64_t>(sitting))
        .bind(4, name_of(result.outcome))
        .bind(5, result.ratio)
        .bind(6, result.ms)
        .bind(7, result.seconds)
        .bind(8, result.why)
        .run();
    return database_.changed() > 0;
}

void Store::add(int64_t session, int sitting, const TuningTask &task,
                const std::vector<Result> &results) {
    Transaction transaction(database_);
    const int64_t known = task_id(task);
    for (const Result &result : results) {
        insert(session, sitting, known, result);
    }
    insert_features(known, task, results);
    transaction.commit();
}

int64_t Store::names_id(int64_t task, const std::string &kind, int version,
                        const std::string &names) {
    Statement(database_,
              "INSERT OR IGNORE INTO feature_names(task, kind, version, names) VALUES (?, ?, ?, ?)")
        .bind(1, task)
        .bind(2, kind)
        .bind(3, static_cast<int64_t>(version))
        .bind(4, names)
        .run();
    Statement find(database_,
                   "SELECT id FROM feature_names WHERE task = ? AND kind = ? AND version = ? "
                   "AND names = ?");
    find.bind(1, task).bind(2, kind).bind(3, static_cast<int64_t>(version)).bind(4, names).step();
    return find.integer(0);
}

void Store::insert_feature(int64_t task, const Nest &nest, int64_t names, const std::string &data) {
    Statement(database_, "INSERT OR REPLACE INTO feature(candidate, names, data) VALUES (?, ?, ?)")
        .bind(1, candidate_id(task, point_text(nest)))
        .bind(2, names)
        .bind(3, data)
        .run();
}

void Store::insert_features(int64_t task_id, const TuningTask &task,
                            const std::vector<Result> &results) {
    const PointFeatures features(task);
    const int64_t names =
        names_id(task_id, kPointFeatures, kPointFeaturesVersion, Json(features.names()).dump());
    for (const Result &result : results) {
        insert_feature(task_id, result.nest, names, features_text(features.of(result.nest)));
    }
}

std::vector<Result> Store::results(const TuningTask &task, const std::string &build) {
    Statement read(database_, "SELECT point, outcome, ratio, ms, seconds, why FROM measurement "
                              "JOIN candidate ON candidate.id = measurement.candidate "
                              "JOIN task ON task.id = candidate.task "
                              "JOIN machine ON machine.id = task.machine "
                              "JOIN session ON session.id = measurement.session "
                              "JOIN build ON build.id = session.build "
                              "WHERE problem = ? AND target = ? AND threads = ? AND "
                              "fingerprint = ? AND planned = ? AND hash = ? "
                              "ORDER BY measurement.id DESC");
    read.bind(1, task.problem)
        .bind(2, task.scope.target)
        .bind(3, static_cast<int64_t>(task.scope.threads))
        .bind(4, task.scope.machine)
        .bind(5, point_text(task.planned))
        .bind(6, build);
    std::vector<Result> results;
    KnownPoints known;
    while (read.step()) {
        Nest nest = point_from(read.text(0));
        if (known.add(nest)) {
            results.push_back({std::move(nest), outcome_from(read.text(1)), read.real(2),
                               read.real(3), read.real(4), read.text(5)});
        }
    }
    std::reverse(results.begin(), results.end());
    return results;
}

std::vector<StoredSamples> Store::samples(const std::string &build) {
    Statement read(
        database_,
        "SELECT task.id, problem, label, target, threads, fingerprint, planned, "
        "feature_names.names, data, point, outcome, ratio, ms, seconds, why, feature_names.id "
        "FROM measurement JOIN candidate ON candidate.id = measurement.candidate "
        "JOIN feature ON feature.candidate = candidate.id "
        "JOIN feature_names ON feature_names.id = feature.names "
        "JOIN task ON task.id = candidate.task "
        "JOIN machine ON machine.id = task.machine "
        "JOIN session ON session.id = measurement.session "
        "JOIN build ON build.id = session.build "
        "WHERE feature_names.kind = ? AND feature_names.version = ? AND (? = '' OR hash = ?) "
        "ORDER BY task.id, feature_names.id, measurement.id DESC");
    read.bind(1, kPointFeatures)
        .bind(2, static_cast<int64_t>(kPointFeaturesVersion))
        .bind(3, build)
        .bind(4, build);
    std::vector<StoredSamples> all;
    int64_t task = -1, names = -1;
    KnownPoints known;
    while (read.step()) {
        if (read.integer(0) != task || read.integer(15) != names) {
            task = read.integer(0);
            names = read.integer(15);
            known = KnownPoints();
            all.push_back({.problem = read.text(1),
                           .label = read.text(2),
                           .scope = {read.text(3), static_cast<int>(read.integer(4)), read.text(5)},
                           .planned = read.text(6),
                           .names = Json::parse(read.text(7)).get<std::vector<std::string>>()});
        }
        Nest nest = point_from(read.text(9));
        if (known.add(nest)) {
            all.back().features.push_back(features_from(read.text(8)));
            all.back().results.push_back({std::move(nest), outcome_from(read.text(10)),
                                          read.real(11), read.real(12), read.real(13),
                                          read.text(14)});
        }
    }
    return all;
}

}  // namespace emulsion
