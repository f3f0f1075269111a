#include "bench/reference.h"

#include <filesystem>

#include <fmt/format.h>

#include "backend/process.h"
#include "bench/json_file.h"
#include "bench/python_scripts.h"
#include "bench/user_files.h"
#include "fusion/error.h"

namespace emulsion {

namespace fs = std::filesystem;

namespace {

constexpr int kPackageMissing = 3;  // exit code of the script
constexpr const char *kRemedy = "; run tools/setup, or name with --python a Python that has the "
                                "packages onnxruntime, onnx and numpy";

// Tensors of one run as files of the exchange, and the request's part that names them.
Json name_files(const fs::path &folder, const std::string &stem,
                const std::vector<TensorInfo> &tensors) {
    Json files = Json::object();
    int index = 0;
    for (const TensorInfo &tensor : tensors) {
        files[tensor.name] = (folder / fmt::format("{}_{}.npy", stem, index++)).string();
    }
    return files;
}

void check_output(const Array &array, const TensorInfo &expected, const std::string &whose) {
    if (array.type != expected.type || array.shape != expected.shape) {
        throw Error(fmt::format("output '{}': the network has {}, {} {}", expected.name,
                                describe(expected.type, expected.shape), whose,
                                describe(array.type, array.shape)));
    }
}

std::string last_line(std::string text) {
    while (!text.empty() && text.back() == '\n') {
        text.pop_back();
    }
    const size_t newline = text.rfind('\n');
    return newline == std::string::npos ? text : text.substr(newline + 1);
}

void run_script(const std::string &python, const std::string &request, const std::string &model) {
    const ToolResult result =
        run_tool({python, script_path("onnxruntime_reference.py"), request}, "python3-venv");
    if (result.status == 0) {
        return;
    }
    throw failure(fmt::format("the reference could not be computed: {}{}",
                              result.output.empty()
                                  ? fmt::format("{} ended with status {}", python, result.status)
                                  : last_line(result.output),
                              result.status == kPackageMissing ? kRemedy : ""),
                  {.file = model});
}

}  // namespace

Reference run_onnxruntime(const std::string &model, const std::string &python,
                          const Artifact &network, const std::vector<std::vector<Array>> &inputs,
                          const std::vector<std::string> &values) {
    const auto scratch = make_scratch_folder();
    const fs::path &folder = scratch->path();
    Json request = {{"model", model}, {"runs", Json::array()}, {"values", Json::object()}};
    for (size_t run = 0; run < inputs.size(); run++) {
        const Json in = name_files(folder, fmt::format("in{}", run), network.inputs());
        const Json out = name_files(folder, fmt::format("out{}", run), network.outputs());
        for (size_t i = 0; i < inputs[run].size(); i++) {
            write_npy(in.at(network.inputs()[i].name).get<std::string>(), inputs[run][i]);
        }
        request["runs"].push_back({{"inputs", in}, {"outputs", out}});
    }
    for (size_t i = 0; i < values.size(); i++) {
        request["values"][values[i]] = (folder / fmt::format("value{}.npy", i)).string();
    }
    request["reply"] = (folder / "reply.json").string();
    write_json((folder / "request.json").string(), request);
    run_script(find_python(python), (folder / "request.json").string(), model);

    const Json reply = Json::parse(read_user_file((folder / "reply.json").string()));
    Reference reference;
    reference.source = "ONNX Runtime " + reply.at("onnxruntime").get<std::string>();
    reference.skipped = reply.at("skipped").get<std::vector<std::string>>();
    for (const Json &run : request["runs"]) {
        std::vector<Array> outputs;
        for (const TensorInfo &tensor : network.outputs()) {
            outputs.push_back(read_npy(run["outputs"].at(tensor.name).get<std::string>()));
            check_output(outputs.back(), tensor, "ONNX Runtime");
        }
        reference.outputs.push_back(std::move(outputs));
    }
    for (const std::string &name : values) {
        const std::string file = request["values"].at(name).get<std::string>();
        if (fs::exists(file)) {
            reference.values.emplace(name, read_npy(file));
        }
    }
    return reference;
}

Reference read_reference(const std::vector<std::string> &files, const Artifact &network) {
    const auto &outputs = network.outputs();
    std::vector<Array> arrays(outputs.size());
    std::vector<bool> found(outputs.size());
    for (const std::string &text : files) {
        size_t match = outputs.size();
        std::string file = text;
        for (size_t i = 0; i < outputs.size(); i++) {
            if (text.starts_with(outputs[i].name + "=")) {
                match = i;
                file = text.substr(outputs[i].name.size() + 1);
            } else if (fs::path(text).filename() == sanitised(outputs[i].name) + ".npy") {
                match = i;
            }
        }
        if (match == outputs.size() && outputs.size() == 1 && files.size() == 1) {
            match = 0;
        }
        if (match == outputs.size() || found[match]) {
            throw Error("is not named after an output of the network; write NAME=FILE.npy",
                        {.file = text});
        }
        arrays[match] = read_npy(file);
        check_output(arrays[match], outputs[match], "the file " + file);
        found[match] = true;
    }
    for (size_t i = 0; i < outputs.size(); i++) {
        if (!found[i]) {
            throw Error(fmt::format("--against has no file for output '{}'", outputs[i].name));
        }
    }
    return {.source = "files", .outputs = {arrays}};
}

}  // namespace emulsion
