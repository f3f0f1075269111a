#include "bench/trace.h"

#include <chrono>

#include <fmt/format.h>

#include "bench/statistics.h"
#include "fusion/error.h"

namespace emulsion {

namespace {

// Rows of a process in the picture.
constexpr int kRunRow = 0;
constexpr int kLaunchRow = 1;

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

Json metadata(const char *kind, int process, int row, const std::string &name) {
    return {
        {"ph", "M"}, {"name", kind}, {"pid", process}, {"tid", row}, {"args", {{"name", name}}}};
}

// Where an event is drawn.
struct TracePlace {
    int process, row;
};

// A complete event; the format counts in microseconds.
Json slice(const std::string &name, const char *category, TracePlace place, double start,
           double seconds, const Json &arguments) {
    return {{"ph", "X"},        {"name", name},      {"cat", category},      {"pid", place.process},
            {"tid", place.row}, {"ts", start * 1e6}, {"dur", seconds * 1e6}, {"args", arguments}};
}

}  // namespace

std::vector<LaunchFacts> launch_facts(const LoadedNetwork &network) {
    std::vector<LaunchFacts> launches;
    try {
        const Json manifest = network.manifest();
        for (const Json &launch : manifest.at("launches")) {
            launches.push_back({.label = launch.at("label").get<std::string>(),
                                .unit = launch.at("unit").get<std::string>(),
                                .bytes_read = launch.value("bytes_read", int64_t{0}),
                                .bytes_written = launch.value("bytes_written", int64_t{0}),
                                .multiply_adds = launch.value("multiply_adds", 0.0)});
        }
    } catch (const Json::exception &error) {
        throw Error(std::string("is not as 'emulsion compile' writes it: ") + error.what(),
                    {.file = network.folder() + "/manifest.json"});
    }
    if (launches.size() != static_cast<size_t>(network.artifact().launch_count())) {
        throw Error("does not have the launches of the library beside it",
                    {.file = network.folder() + "/manifest.json"});
    }
    return launches;
}

RecordedRun record_run(Artifact &artifact, const std::vector<const void *> &inputs,
                       const std::vector<void *> &outputs) {
    RecordedRun run;
    run.start = now();
    artifact.run_observed(inputs, outputs, [&](const LaunchEvent &event) {
        run.launch_start.push_back(now() - event.seconds);
        run.launch_seconds.push_back(event.seconds);
        run.fill_seconds.push_back(event.fill_seconds);
    });
    run.seconds = now() - run.start;
    return run;
}

void expect_whole_runs(const RecordedNetwork &network) {
    for (const RecordedRun &run : network.runs) {
        if (run.launch_seconds.size() != network.launches.size()) {
            throw failure(fmt::format("{}: a run has launched {} groups, where the manifest has {}",
                                      network.title, run.launch_seconds.size(),
                                      network.launches.size()));
        }
    }
}

double median_launch_ms(const std::vector<RecordedRun> &runs, size_t launch) {
    std::vector<double> times;
    for (const RecordedRun &run : runs) {
        times.push_back(run.launch_seconds[launch] * 1e3);
    }
    return summarise(std::move(times)).median;
}

std::string chrome_trace(const std::vector<RecordedNetwork> &networks, const Json &about) {
    Json events = Json::array();
    double origin = 0.0;
    for (const RecordedNetwork &network : networks) {
        expect_whole_runs(network);
        for (const RecordedRun &run : network.runs) {
            origin = origin == 0.0 ? run.start : std::min(origin, run.start);
        }
    }
    int process = 1;
    for (const RecordedNetwork &network : networks) {
        events.push_back(metadata("process_name", process, kRunRow, network.title));
        events.push_back(metadata("thread_name", process, kRunRow, "runs"));
        events.push_back(metadata("thread_name", process, kLaunchRow, "groups"));
        for (size_t r = 0; r < network.runs.size(); r++) {
            const RecordedRun &run = network.runs[r];
            events.push_back(slice("run", "run", {process, kRunRow}, run.start - origin,
                                   run.seconds, {{"run", r}}));
            for (size_t i = 0; i < run.launch_seconds.size(); i++) {
                const LaunchFacts &launch = network.launches[i];
                events.push_back(slice(launch.label, "group", {process, kLaunchRow},
                                       run.launch_start[i] - origin, run.launch_seconds[i],
                                       {{"run", r},
                                        {"group", i},
                                        {"unit", launch.unit},
                                        {"bytes_read", launch.bytes_read},
                                        {"bytes_written", launch.bytes_written},
                                        {"multiply_adds", launch.multiply_adds}}));
            }
        }
        process++;
    }
    return json_document_inside(
        "otherData", "emulsion-trace",
        {{"traceEvents", events}, {"displayTimeUnit", "ms"}, {"otherData", about}});
}

}  // namespace emulsion
