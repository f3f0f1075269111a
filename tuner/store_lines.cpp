// Measurements as lines of JSON: from one store to another.
#include <istream>
#include <limits>
#include <ostream>
#include <string>

#include <nlohmann/json.hpp>

#include "fusion/error.h"
#include "tuner/points.h"
#include "tuner/store.h"

namespace emulsion {

namespace {

using Line = nlohmann::ordered_json;

std::string text_of(const Line &line, const char *name) {
    const auto found = line.find(name);
    if (found == line.end() || !found->is_string()) {
        throw Error(std::string("'") + name + "' is no text");
    }
    return found->get<std::string>();
}

double number_of(const Line &line, const char *name) {
    const auto found = line.find(name);
    if (found == line.end() || !found->is_number() || found->get<double>() < 0.0) {
        throw Error(std::string("'") + name + "' is no number from 0 on");
    }
    return found->get<double>();
}

int count_of(const Line &line, const char *name) {
    const auto found = line.find(name);
    if (found == line.end() || !found->is_number_unsigned() ||
        found->get<uint64_t>() > std::numeric_limits<int>::max()) {
        throw Error(std::string("'") + name + "' is no whole number from 0 on");
    }
    return static_cast<int>(found->get<uint64_t>());
}

uint64_t seed_of(const Line &line) {
    const auto found = line.find("seed");
    if (found == line.end() || !found->is_number_unsigned()) {
        throw Error("'seed' is no whole number from 0 on");
    }
    return found->get<uint64_t>();
}

}  // namespace

void Store::export_lines(std::ostream &lines) {
    Statement read(
        database_,
        "SELECT problem, target, threads, fingerprint, label, key, strategy, seed, "
        "arguments, facts, hash, sitting, point, outcome, ratio, ms, seconds, why, planned "
        "FROM measurement JOIN candidate ON candidate.id = measurement.candidate "
        "JOIN task ON task.id = candidate.task "
        "JOIN machine ON machine.id = task.machine "
        "JOIN session ON session.id = measurement.session "
        "JOIN build ON build.id = session.build ORDER BY measurement.id");
    while (read.step()) {
        const Line line = {
            {"problem", read.text(0)},    {"target", read.text(1)},
            {"threads", read.integer(2)}, {"machine", read.text(3)},
            {"label", read.text(4)},      {"session", read.text(5)},
            {"strategy", read.text(6)},   {"seed", static_cast<uint64_t>(read.integer(7))},
            {"arguments", read.text(8)},  {"facts", read.text(9)},
            {"build", read.text(10)},     {"sitting", read.integer(11)},
            {"point", read.text(12)},     {"outcome", read.text(13)},
            {"ratio", read.real(14)},     {"ms", read.real(15)},
            {"seconds", read.real(16)},   {"why", read.text(17)},
            {"planned", read.text(18)}};
        lines << line.dump(-1, ' ', false, Line::error_handler_t::replace) << "\n";
    }
}

int64_t Store::import_lines(std::istream &lines, const std::string &place) {
    Transaction transaction(database_);
    int64_t imported = 0, number = 0;
    for (std::string text; std::getline(lines, text);) {
        number++;
        try {
            const Line line = Line::parse(text, nullptr, false);
            if (!line.is_object()) {
                throw Error("it is no JSON object");
            }
            const TuningTask task{
                .problem = text_of(line, "problem"),
                .scope = {text_of(line, "target"), count_of(line, "threads"),
                          text_of(line, "machine")},
                .label = text_of(line, "label"),
                .planned = point_from(text_of(line, "planned")),
            };
            const int64_t session =
                session_id(text_of(line, "session"),
                           {text_of(line, "strategy"), seed_of(line), text_of(line, "arguments"),
                            text_of(line, "build"), text_of(line, "facts")});
            const Result result{
                point_from(text_of(line, "point")), outcome_from(text_of(line, "outcome")),
                number_of(line, "ratio"),           number_of(line, "ms"),
                number_of(line, "seconds"),         text_of(line, "why")};
            imported += insert(session, count_of(line, "sitting"), task_id(task), result) ? 1 : 0;
        } catch (const Error &error) {
            if (error.kind() != ErrorKind::Refused) {
                throw;
            }
            throw Error("line " + std::to_string(number) + " is no measurement: " + error.message(),
                        {.file = place});
        }
    }
    transaction.commit();
    return imported;
}

}  // namespace emulsion
