#include "tests/graphs/trial.h"

#include <cctype>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <optional>
#include <sstream>

#include <nlohmann/json.hpp>

#include "backend/files.h"
#include "tests/graphs/case_run.h"

namespace emulsion::test {

namespace {

using Json = nlohmann::json;

constexpr size_t kLongestKind = 60;
constexpr size_t kShownNoise = 400;  // of what a process printed before its end

const char *text_of(Outcome outcome) {
    return outcome == Outcome::Right ? "right" : outcome == Outcome::Refused ? "refused" : "wrong";
}

void run_all(const GraphCase &example, const std::vector<Configuration> &configurations,
             const std::string &folder, const Forked::Write &write) {
    const auto say = [&](const Json &line) { write(line.dump() + "\n"); };
    const TemporaryFolder own(std::filesystem::path(folder) / "graph-");
    say({{"nodes", example.graph.nodes.size()}, {"begin", "loading"}});
    std::optional<CaseRun> run;
    try {
        run.emplace(example, own.path(), folder + "/cache");
    } catch (const Error &error) {
        const bool refused = error.kind() == ErrorKind::Refused;
        say({{"end", text_of(refused ? Outcome::Refused : Outcome::Wrong)},
             {"text", error.what()}});
        return;
    }
    say({{"end", "right"}, {"text", ""}});
    for (const Configuration &configuration : configurations) {
        say({{"begin", configuration.name()}});
        const auto start = std::chrono::steady_clock::now();
        const Verdict verdict = run->run(configuration);
        const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
        say({{"end", text_of(verdict.outcome)},
             {"text", verdict.text},
             {"seconds", passed.count()}});
    }
}

}  // namespace

std::string ConfigurationEnd::kind() const {
    if (outcome.starts_with("signal")) {  // one mistake may end in several ways
        return "signal";
    }
    if (outcome == "wrong" && text.find("instead of") != std::string::npos) {
        return outcome + ": values";
    }
    // The words that are no names of nodes or tensors, without numbers.
    std::string kind = outcome + ":";
    std::istringstream words(text);
    for (std::string word; words >> word && kind.size() < kLongestKind;) {
        if (word.find('_') == std::string::npos && word.find('\'') == std::string::npos) {
            std::erase_if(word, [](unsigned char c) { return std::isalpha(c) == 0; });
            kind += " " + word;
        }
    }
    return kind;
}

std::vector<Configuration> configurations_of(uint64_t seed,
                                             const std::vector<std::string> &targets) {
    Draw draw(seed ^ 0x5eed);
    Configuration none, plain;
    none.plan.policy = "none";
    plain.plan.threads = 2;
    if (targets.size() == 1) {
        none.plan.target = plain.plan.target = targets.front();
    }
    return {none, plain, random_configuration(draw, targets)};
}

Forked start_trial(uint64_t seed, const std::vector<Configuration> &configurations,
                   size_t most_nodes, const std::string &folder, double most_seconds) {
    return {[=](const Forked::Write &write) {
                Coverage coverage;
                write(Json({{"begin", "generating"}}).dump() + "\n");
                const GraphCase example =
                    random_graph(seed, &coverage, std::min<size_t>(10, most_nodes), most_nodes);
                Json taken = Json::array();
                for (const auto &[key, count] : coverage) {
                    taken.push_back({key.first, key.second, count});
                }
                write(Json({{"end", "right"}, {"text", ""}, {"coverage", taken}}).dump() + "\n");
                run_all(example, configurations, folder, write);
            },
            most_seconds};
}

Forked start_trial(const GraphCase &example, const std::vector<Configuration> &configurations,
                   const std::string &folder, double most_seconds) {
    return {[&](const Forked::Write &write) { run_all(example, configurations, folder, write); },
            most_seconds};
}

TrialEnd end_of(const ForkedEnd &end) {
    TrialEnd trial;
    trial.seconds = end.seconds;
    std::string begun;
    size_t from = 0;
    for (size_t to = 0; (to = end.results.find('\n', from)) != std::string::npos; from = to + 1) {
        const Json line = Json::parse(end.results.substr(from, to - from));
        trial.nodes = line.value("nodes", trial.nodes);
        if (line.contains("coverage")) {
            for (const Json &each : line["coverage"]) {
                trial.coverage[{each[0], each[1]}] += each[2].get<int64_t>();
            }
        }
        if (line.contains("begin")) {
            begun = line["begin"];
        }
        if (line.contains("end")) {
            trial.ends.push_back({begun, line["end"], line["text"], line.value("seconds", 0.0)});
            begun.clear();
        }
    }
    const std::string last = end.noise.size() > kShownNoise
                                 ? end.noise.substr(end.noise.size() - kShownNoise)
                                 : end.noise;
    if (end.timed_out) {
        trial.ends.push_back(
            {begun, "endless",
             "it takes longer than " + std::to_string(static_cast<int>(end.seconds)) + " s",
             end.seconds});
    } else if (end.signal != 0) {
        trial.ends.push_back({begun, "signal " + std::to_string(end.signal),
                              strsignal(end.signal) + std::string(" ") + last, 0});
    } else if (end.status != 0) {
        trial.ends.push_back(
            {begun, "wrong", "it ends with status " + std::to_string(end.status) + ": " + last, 0});
    }
    return trial;
}

}  // namespace emulsion::test
