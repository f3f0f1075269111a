// The tables of a store (docs/tuning.md). A store of version 1 becomes one of version 2 when it is opened.
#pragma once

#include <cstdint>

namespace emulsion {

constexpr int64_t kStoreVersion = 2;

constexpr const char *kStoreTables = R"(
CREATE TABLE machine(
    id INTEGER PRIMARY KEY,
    fingerprint TEXT NOT NULL UNIQUE);
CREATE TABLE build(
    id INTEGER PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE);
CREATE TABLE session(
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    strategy TEXT NOT NULL,
    seed INTEGER NOT NULL,
    arguments TEXT NOT NULL,
    facts TEXT NOT NULL,
    build INTEGER NOT NULL REFERENCES build(id));
CREATE TABLE task(
    id INTEGER PRIMARY KEY,
    problem TEXT NOT NULL,
    target TEXT NOT NULL,
    threads INTEGER NOT NULL,
    machine INTEGER NOT NULL REFERENCES machine(id),
    planned TEXT NOT NULL,
    label TEXT NOT NULL,
    UNIQUE(problem, target, threads, machine, planned));
CREATE TABLE candidate(
    id INTEGER PRIMARY KEY,
    task INTEGER NOT NULL REFERENCES task(id),
    point TEXT NOT NULL,
    UNIQUE(task, point));
CREATE TABLE measurement(
    id INTEGER PRIMARY KEY,
    candidate INTEGER NOT NULL REFERENCES candidate(id),
    session INTEGER NOT NULL REFERENCES session(id),
    sitting INTEGER NOT NULL,
    outcome TEXT NOT NULL,
    ratio REAL NOT NULL,
    ms REAL NOT NULL,
    seconds REAL NOT NULL,
    why TEXT NOT NULL,
    UNIQUE(session, sitting, candidate));
CREATE INDEX measurements_of_candidate ON measurement(candidate, id);
)";

// What version 2 has besides these: features of candidates, of their points (kind "point") and of their code ("statement" and "node").
constexpr const char *kFeatureTables = R"(
CREATE TABLE feature_names(
    id INTEGER PRIMARY KEY,
    task INTEGER NOT NULL REFERENCES task(id),
    kind TEXT NOT NULL,
    version INTEGER NOT NULL,
    names TEXT NOT NULL,
    UNIQUE(task, kind, version, names));
CREATE TABLE feature(
    candidate INTEGER NOT NULL REFERENCES candidate(id),
    names INTEGER NOT NULL REFERENCES feature_names(id),
    data TEXT NOT NULL,
    PRIMARY KEY(candidate, names));
)";

}  // namespace emulsion
