// The tables of a store (docs/tuning.md).
#pragma once

#include <cstdint>

namespace emulsion {

constexpr int64_t kStoreVersion = 1;

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

}  // namespace emulsion
