#include "tuner/record.h"

#include <cmath>
#include <filesystem>
#include <limits>
#include <memory>
#include <sstream>

#include <nlohmann/json.hpp>
#include <zlib.h>

#include "fusion/error.h"
#include "tuner/grid.h"
#include "tuner/points.h"
#include "tuner/recorded_facts.h"

namespace emulsion {

namespace {

using Json = nlohmann::json;

constexpr const char *kSchema = "emulsion-tuning-record";
constexpr int kVersion = 3;
// Of a file, uncompressed: a million points.
constexpr size_t kMostBytes = size_t{256} << 20;

// Digits beyond these are noise.
double rounded(double value) {
    constexpr double kSteps = 1e5;
    return std::round(value * kSteps) / kSteps;
}

Json to_json(const NestSpace &space) {
    Json parameters = Json::array(), constraints = Json::array();
    for (const NestParameter &p : space.parameters) {
        parameters.push_back({{"name", p.name},
                              {"type", p.type},
                              {"unit", p.unit},
                              {"least", p.domain.least},
                              {"most", p.domain.most},
                              {"powers_of_two", p.domain.powers_of_two},
                              {"preferred", p.preferred},
                              {"optional", p.is_optional}});
    }
    for (const NestConstraint &c : space.constraints) {
        Json constraint = {{"rule", c.rule},
                           {"parameters", c.parameters},
                           {"number", c.number},
                           {"refusal", c.refusal}};
        if (c.where) {
            constraint["where"] = {c.where->first, c.where->second};
        }
        constraints.push_back(std::move(constraint));
    }
    return {{"template", space.template_name},
            {"version", space.version},
            {"parameters", parameters},
            {"constraints", constraints}};
}

NestSpace space_from(const Json &json) {
    NestSpace space;
    space.template_name = json.at("template").get<std::string>();
    space.version = json.at("version").get<int>();
    for (const Json &p : json.at("parameters")) {
        space.parameters.push_back({p.at("name"),
                                    p.at("type"),
                                    p.at("unit"),
                                    {p.at("least"), p.at("most"), p.at("powers_of_two")},
                                    p.at("preferred"),
                                    p.at("optional")});
    }
    for (const Json &c : json.at("constraints")) {
        NestConstraint constraint{c.at("rule"), c.at("parameters"), c.at("number"),
                                  c.at("refusal")};
        if (c.contains("where")) {
            constraint.where = {c.at("where").at(0).get<std::string>(),
                                c.at("where").at(1).get<int64_t>()};
        }
        space.constraints.push_back(std::move(constraint));
    }
    return space;
}

// In the order of the space's parameters; null for one that the nest lacks.
Json values_of(const NestSpace &space, const Nest &nest) {
    Json values = Json::array();
    for (const NestParameter &p : space.parameters) {
        const auto value = nest.parameters.find(p.name);
        values.push_back(value == nest.parameters.end() ? Json() : Json(value->second));
    }
    return values;
}

Nest nest_from(const NestSpace &space, const Json &values) {
    Nest nest{space.template_name, {}};
    if (!values.is_array() || values.size() != space.parameters.size()) {
        throw Error("a point has " + std::to_string(values.size()) + " values, its space " +
                    std::to_string(space.parameters.size()) + " parameters");
    }
    for (size_t i = 0; i < values.size(); i++) {
        if (!values[i].is_null()) {
            nest.parameters[space.parameters[i].name] = values[i].get<int64_t>();
        }
    }
    if (const std::string refusal = space.is_valid(nest); !refusal.empty()) {
        throw Error(refusal);
    }
    return nest;
}

// Null for what nobody knows.
std::vector<double> facts_of_point(const Json &json) {
    std::vector<double> values;
    for (const Json &value : json) {
        values.push_back(value.is_null() ? std::numeric_limits<double>::quiet_NaN()
                                         : value.get<double>());
    }
    return values;
}

Json facts_line(const TuningTask &task) {
    Json facts = Json::array();
    for (const Fact &fact : task.facts->of_problem()) {
        facts.push_back({fact.name, rounded(fact.value)});
    }
    return {{"problem", facts}, {"names", task.facts->names()}};
}

Json facts_of(const TuningTask &task, const Nest &nest) {
    Json values = Json::array();
    for (const double value : task.facts->of(nest)) {
        values.push_back(std::isfinite(value) ? Json(rounded(value)) : Json());
    }
    return values;
}

std::shared_ptr<RecordedFacts> facts_from(const Json &json) {
    std::vector<Fact> facts;
    for (const Json &fact : json.at("problem")) {
        facts.push_back({fact.at(0).get<std::string>(), fact.at(1).get<double>()});
    }
    return std::make_shared<RecordedFacts>(std::move(facts),
                                           json.at("names").get<std::vector<std::string>>());
}

// Null for a value that a nest lacks.
Json tried_line(const TuningTask &task) {
    Json tried = Json::array();
    for (const std::vector<int64_t> &values : task.tried) {
        Json line = Json::array();
        for (const int64_t value : values) {
            line.push_back(value == Grid::kAbsent ? Json() : Json(value));
        }
        tried.push_back(std::move(line));
    }
    return tried;
}

std::vector<std::vector<int64_t>> tried_from(const NestSpace &space, const Json &json) {
    std::vector<std::vector<int64_t>> tried;
    for (const Json &line : json) {
        tried.emplace_back();
        for (const Json &value : line) {
            tried.back().push_back(value.is_null() ? Grid::kAbsent : value.get<int64_t>());
        }
    }
    if (tried.size() != space.parameters.size()) {
        throw Error("values to try are of " + std::to_string(tried.size()) +
                    " parameters, and the space has " + std::to_string(space.parameters.size()));
    }
    return tried;
}

Json task_line(const RecordedTask &recorded) {
    const TuningTask &task = recorded.task;
    Json suggested = Json::array();
    for (const Nest &nest : task.suggested) {
        suggested.push_back(values_of(task.space, nest));
    }
    Json line = {{"problem", task.problem},
                 {"target", task.scope.target},
                 {"threads", task.scope.threads},
                 {"machine", task.scope.machine},
                 {"label", task.label},
                 {"launches", task.launches},
                 {"space", to_json(task.space)},
                 {"planned", values_of(task.space, task.planned)},
                 {"suggested", suggested},
                 {"predicted_ms", rounded(task.predicted_ms)},
                 {"planned_ms", rounded(recorded.planned_ms)}};
    if (!task.tried.empty()) {
        line["tried"] = tried_line(task);
    }
    if (task.facts) {
        line["facts"] = facts_line(task);
        line["planned_facts"] = facts_of(task, task.planned);
    }
    return line;
}

Json point_line(const TuningTask &task, const Result &first, const Result &second) {
    Json line = {{"point", values_of(task.space, first.nest)}, {"seconds", rounded(first.seconds)}};
    if (task.facts) {
        line["facts"] = facts_of(task, first.nest);
    }
    if (first.outcome == Outcome::Ok && second.outcome == Outcome::Ok) {
        line["ratios"] = {rounded(first.ratio), rounded(second.ratio)};
    } else {
        line["outcome"] = name_of(first.outcome != Outcome::Ok ? first.outcome : second.outcome);
    }
    return line;
}

// A task as it is read, with the facts of its points.
struct ReadTask {
    RecordedTask recorded;
    std::shared_ptr<RecordedFacts> facts;
};

ReadTask task_from(const Json &line) {
    RecordedTask recorded;
    std::shared_ptr<RecordedFacts> facts;
    TuningTask &task = recorded.task;
    task.problem = line.at("problem").get<std::string>();
    task.scope = {line.at("target"), line.at("threads"), line.at("machine")};
    task.label = line.at("label").get<std::string>();
    task.launches = line.at("launches").get<int>();
    task.space = space_from(line.at("space"));
    task.planned = nest_from(task.space, line.at("planned"));
    for (const Json &values : line.at("suggested")) {
        task.suggested.push_back(nest_from(task.space, values));
    }
    task.predicted_ms = line.at("predicted_ms").get<double>();
    recorded.planned_ms = line.at("planned_ms").get<double>();
    if (line.contains("tried")) {
        task.tried = tried_from(task.space, line["tried"]);
    }
    if (line.contains("facts")) {
        facts = facts_from(line["facts"]);
        facts->add(task.planned, facts_of_point(line.at("planned_facts")));
        task.facts = facts;
    }
    return {std::move(recorded), std::move(facts)};
}

void add_point(ReadTask &read, const Json &line) {
    RecordedTask &recorded = read.recorded;
    Result first{nest_from(recorded.task.space, line.at("point"))};
    first.seconds = line.at("seconds").get<double>();
    Result second = first;
    if (line.contains("ratios")) {
        first.ratio = line["ratios"].at(0).get<double>();
        second.ratio = line["ratios"].at(1).get<double>();
        first.ms = first.ratio * recorded.planned_ms;
        second.ms = second.ratio * recorded.planned_ms;
    } else {
        first.outcome = second.outcome = outcome_from(line.at("outcome"));
    }
    const std::string text = point_text(first.nest);
    if (!recorded.points.emplace(text, std::pair{first, second}).second) {
        throw Error("there is " + text + " twice");
    }
    if (read.facts) {
        read.facts->add(first.nest, facts_of_point(line.at("facts")));
    }
}

struct CloseGz {
    void operator()(gzFile_s *file) const { gzclose(file); }
};

using GzFile = std::unique_ptr<gzFile_s, CloseGz>;

std::string uncompressed(const std::string &file) {
    const GzFile gz(gzopen(file.c_str(), "rb"));
    if (!gz) {
        throw Error("can't be read", {.file = file});
    }
    std::string text;
    std::string part(size_t{1} << 20, '\0');
    int read = 0;
    while ((read = gzread(gz.get(), part.data(), static_cast<unsigned>(part.size()))) > 0) {
        text.append(part, 0, static_cast<size_t>(read));
        if (text.size() > kMostBytes) {
            throw Error("has more than " + std::to_string(kMostBytes) + " bytes", {.file = file});
        }
    }
    if (read < 0) {
        throw Error("is damaged", {.file = file});
    }
    return text;
}

}  // namespace

void write_record(const std::string &file, const std::vector<RecordedTask> &record) {
    std::string text = Json{{"schema", kSchema}, {"version", kVersion}}.dump() + "\n";
    for (const RecordedTask &task : record) {
        text += task_line(task).dump() + "\n";
        for (const auto &[name, results] : task.points) {
            text += point_line(task.task, results.first, results.second).dump() + "\n";
        }
    }
    GzFile gz(gzopen(file.c_str(), "wb9"));
    const bool written = gz && gzwrite(gz.get(), text.data(), static_cast<unsigned>(text.size())) ==
                                   static_cast<int>(text.size());
    if (!written || gzclose(gz.release()) != Z_OK) {
        throw failure("can't be written", {.file = file});
    }
}

std::vector<RecordedTask> read_record(const std::string &file) {
    std::istringstream lines(uncompressed(file));
    std::vector<ReadTask> tasks;
    int number = 0;
    for (std::string text; std::getline(lines, text);) {
        number++;
        try {
            const Json line = Json::parse(text);
            if (number == 1) {
                if (line.value("schema", "") != kSchema || line.value("version", 0) != kVersion) {
                    throw Error("it is no record of version " + std::to_string(kVersion));
                }
            } else if (line.contains("problem")) {
                tasks.push_back(task_from(line));
            } else if (tasks.empty()) {
                throw Error("there is a point before any task");
            } else {
                add_point(tasks.back(), line);
            }
        } catch (const Json::exception &error) {
            throw Error("line " + std::to_string(number) + ": " + error.what(), {.file = file});
        } catch (const Error &error) {
            throw Error("line " + std::to_string(number) + ": " + error.message(), {.file = file});
        }
    }
    std::vector<RecordedTask> record;
    for (ReadTask &task : tasks) {
        record.push_back(std::move(task.recorded));
    }
    return record;
}

size_t NetworkRecord::points() const {
    size_t count = 0;
    for (const RecordedTask &task : tasks) {
        count += task.points.size();
    }
    return count;
}

NetworkRecord read_network_record(const std::string &file) {
    const std::string name = std::filesystem::path(file).filename().string();
    return {name.substr(0, name.find('.')), read_record(file)};
}

}  // namespace emulsion
