#include "tests/graphs/campaign.h"

#include <unistd.h>

#include <cctype>
#include <list>
#include <sstream>
#include <thread>

#include <fmt/format.h>

#include "tests/graphs/finding.h"
#include "tests/graphs/halide_runtime.h"
#include "tests/graphs/shrink.h"

namespace emulsion::test {

namespace {

using Clock = std::chrono::steady_clock;

constexpr double kReportSeconds = 20.0;  // between two lines in a file

double since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

// A refusal without what is the graph's own: names and numbers.
std::string reason_of(const std::string &text) {
    std::string reason;
    bool quoted = false;
    for (const char c : text) {
        quoted = c == '\'' ? !quoted : quoted;
        if (!quoted && std::isdigit(static_cast<unsigned char>(c)) == 0) {
            reason += c;
        }
    }
    const size_t node = reason.find("): ");
    return (node == std::string::npos ? reason : reason.substr(node + 3)).substr(0, 100);
}

// The parts of a configuration that the table counts.
std::vector<std::string> parts_of(const std::string &configuration) {
    std::istringstream words(configuration);
    std::vector<std::string> parts;
    std::string word;
    while (words >> word) {
        if (word.starts_with("--")) {
            parts.push_back(word);
        } else {
            parts.back() += " " + word;
        }
    }
    return parts;
}

class Report {
public:
    explicit Report(bool wanted) : wanted_(wanted), terminal_(isatty(STDERR_FILENO) != 0) {}
    ~Report() { clear(); }

    void show(const CampaignEnd &end, double seconds) {
        if (!wanted_ || (!terminal_ && seconds - last_ < kReportSeconds)) {
            return;
        }
        last_ = seconds;
        clear();
        fmt::print(stderr, "{} graphs, {} runs, {} refused, {} findings, {:.0f} s{}", end.graphs,
                   end.runs, end.refused, end.findings.size(), seconds, terminal_ ? "" : "\n");
        std::fflush(stderr);
        shown_ = terminal_;
    }
    void line(const std::string &text) {
        if (wanted_) {
            clear();
            fmt::print("{}\n", text);
            std::fflush(stdout);
        }
    }

private:
    void clear() {
        if (shown_) {
            fmt::print(stderr, "\r\x1b[K");
            shown_ = false;
        }
    }
    bool wanted_, terminal_, shown_ = false;
    double last_ = 0.0;
};

struct Running {
    uint64_t seed;
    Forked child;
};

class Campaign {
public:
    explicit Campaign(const CampaignOptions &options)
        : options_(options), report_(options.progress) {}

    CampaignEnd run() {
        const auto start = Clock::now();
        compile_halide_runtime(Halide::Target(options_.targets.front()));
        uint64_t next = options_.seed;
        std::list<Running> running;
        const auto more = [&] {
            const auto begun = static_cast<int64_t>(next - options_.seed);
            return since(start) < options_.seconds &&
                   (options_.graphs == 0 || begun < options_.graphs) &&
                   !(options_.stop_at_first && !end_.findings.empty());
        };
        while (more() || !running.empty()) {
            while (more() && running.size() < static_cast<size_t>(options_.jobs)) {
                running.push_back(
                    {next,
                     start_trial(next, configurations_of(next, options_.targets),
                                 options_.most_nodes, options_.folder, options_.most_seconds)});
                next++;
            }
            for (auto each = running.begin(); each != running.end();) {
                if (const auto ended = each->child.poll()) {
                    TrialEnd trial = end_of(*ended);
                    trial.seed = each->seed;
                    each = running.erase(each);
                    take(trial);
                } else {
                    ++each;
                }
            }
            report_.show(end_, since(start));
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
        end_.seconds = since(start);
        return std::move(end_);
    }

private:
    void take(const TrialEnd &trial) {
        end_.graphs++;
        end_.nodes += static_cast<int64_t>(trial.nodes);
        for (const auto &[key, count] : trial.coverage) {
            end_.coverage[key] += count;
        }
        for (const ConfigurationEnd &each : trial.ends) {
            if (!each.configuration.starts_with("--") && each.outcome == "right") {
                continue;
            }
            end_.runs++;
            if (each.outcome == "refused") {
                end_.refused++;
                CampaignEnd::Refused &refused = end_.refusals[reason_of(each.text)];
                if (refused.count++ == 0) {
                    refused.example =
                        fmt::format("seed {}, {}: {}", trial.seed, each.configuration, each.text);
                }
            }
            for (const std::string &part :
                 parts_of(each.configuration.starts_with("--") ? each.configuration : "")) {
                for (const auto &[key, count] : trial.coverage) {
                    if (key.second.empty()) {
                        end_.configurations[{key.first, part}] += 1;
                    }
                }
            }
        }
        for (const ConfigurationEnd &each : trial.ends) {
            if (each.is_finding()) {
                add_finding(trial.seed, each);
                break;  // others are mostly the same
            }
        }
    }

    void add_finding(uint64_t seed, const ConfigurationEnd &end) {
        Finding finding{seed, end, 0, ""};
        report_.line(
            fmt::format("seed {}, {}: {}: {}", seed, end.configuration, end.outcome, end.text));
        if (!options_.findings.empty() && end.configuration.starts_with("--")) {
            const std::vector<Configuration> alone{parse_configuration(end.configuration)};
            ConfigurationEnd last = end;
            const auto fails = [&](const GraphCase &example) {
                const TrialEnd trial = end_of(
                    start_trial(example, alone, options_.folder, options_.most_seconds).wait());
                for (const ConfigurationEnd &each : trial.ends) {
                    if (each.kind() == end.kind()) {
                        last = each;
                        return true;
                    }
                }
                return false;
            };
            const GraphCase whole = random_graph(
                seed, nullptr, std::min<size_t>(10, options_.most_nodes), options_.most_nodes);
            const GraphCase small = shrink(whole, fails, options_.shrink_seconds);
            finding.nodes = small.graph.nodes.size();
            last.configuration = end.configuration;
            finding.model =
                write_finding(options_.findings, "seed" + std::to_string(seed), small, last);
            report_.line(fmt::format("  {} of {} nodes are left in {}", finding.nodes,
                                     whole.graph.nodes.size(), finding.model));
        }
        end_.findings.push_back(std::move(finding));
    }

    const CampaignOptions &options_;
    Report report_;
    CampaignEnd end_;
};

}  // namespace

CampaignEnd run_campaign(const CampaignOptions &options) { return Campaign(options).run(); }

}  // namespace emulsion::test
