// Measurements as lines of JSON: from one store to another.
#include <istream>
#include <limits>
#include <ostream>
#include <string>

#include <nlohmann/json.hpp>

#include "fusion/error.h"
#include "fusion/json_members.h"
#include "tuner/points.h"
#include "tuner/store.h"

namespace emulsion {

namespace {

using Line = nlohmann::ordered_json;

double positive_member(const Line &line, const char *name) {
    const double value = number_member(line, name);
    if (value < 0.0) {
        throw Error(std::string("'") + name + "' is no number from 0 on");
    }
    return value;
}

uint64_t seed_of(const Line &line) {
    return count_member(line, "seed", 0, std::numeric_limits<uint64_t>::max());
}

int int_member(const Line &line, const char *name) {
    return static_cast<int>(count_member(line, name, 0, std::numeric_limits<int>::max()));
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
                .problem = text_member(line, "problem"),
                .scope = {text_member(line, "target"), int_member(line, "threads"),
                          text_member(line, "machine")},
                .label = text_member(line, "label"),
                .planned = point_from(text_member(line, "planned")),
            };
            const int64_t session = session_id(
                text_member(line, "session"),
                {text_member(line, "strategy"), seed_of(line), text_member(line, "arguments"),
                 text_member(line, "build"), text_member(line, "facts")});
            const Result result{
                point_from(text_member(line, "point")), outcome_from(text_member(line, "outcome")),
                positive_member(line, "ratio"),         positive_member(line, "ms"),
                positive_member(line, "seconds"),       text_member(line, "why")};
            imported += insert(session, int_member(line, "sitting"), task_id(task), result) ? 1 : 0;
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
