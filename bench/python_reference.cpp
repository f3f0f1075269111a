#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include "backend/interrupt.h"
#include "backend/process.h"
#include "bench/python_scripts.h"
#include "bench/reference.h"
#include "fusion/error.h"

namespace emulsion {

namespace fs = std::filesystem;

namespace {

constexpr const char *kRemedy = "; run tools/setup, or name with --python a Python that has the "
                                "packages onnxruntime, onnx and numpy";

// Tensors as files of the exchange: {NAME: PATH.npy}.
Json name_files(const fs::path &folder, const std::string &stem,
                const std::vector<TensorInfo> &tensors) {
    Json files = Json::object();
    int index = 0;
    for (const TensorInfo &tensor : tensors) {
        files[tensor.name] = (folder / fmt::format("{}_{}.npy", stem, index++)).string();
    }
    return files;
}

// A socket, for writing to a pipe whose reader is gone would end this process.
std::array<int, 2> socket_pair() {
    std::array<int, 2> ends{};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
        throw failure(fmt::format("no socket: {}", std::strerror(errno)));
    }
    return ends;
}

}  // namespace

PythonReference::PythonReference(Engine engine, const std::string &model, const std::string &python,
                                 const Artifact &network, const std::vector<std::string> &values)
    : model_(model), python_(find_python(python)), network_(network),
      scratch_(make_scratch_folder()) {
    const std::string request = (scratch_->path() / "request.json").string();
    write_json(request, "emulsion-reference-request",
               {{"model", model},
                {"engine", engine == Engine::OnnxRuntime ? "onnxruntime" : "f64"},
                {"values", values}});
    const std::array<int, 2> ends = socket_pair();
    socket_ = ends[0];
    try {
        process_ = start_program({python_, script_path("reference.py"), request}, ends[1], ends[1]);
        close(ends[1]);
    } catch (const Error &error) {
        close(ends[0]);
        close(ends[1]);
        throw failure(error.message() + kRemedy, error.place());
    }
    try {
        const Json reply = receive();
        const auto version = reply.at("version").get<std::string>();
        name_ = (engine == Engine::OnnxRuntime ? "ONNX Runtime " : "f64, by ONNX ") + version;
        values_ = reply.at("values").get<std::vector<std::string>>();
    } catch (...) {
        end_process(process_);
        close(socket_);
        throw;
    }
    run_request_ = {{"inputs", name_files(scratch_->path(), "in", network.inputs())},
                    {"outputs", name_files(scratch_->path(), "out", network.outputs())}};
    for (size_t i = 0; i < values_.size(); i++) {
        Json &outputs = run_request_["outputs"];
        if (!outputs.contains(values_[i])) {
            outputs[values_[i]] = (scratch_->path() / fmt::format("value_{}.npy", i)).string();
        }
    }
}

PythonReference::~PythonReference() {
    close(socket_);
    end_process(process_);
}

void PythonReference::send(const Json &message) const {
    const std::string line = message.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
    size_t sent = 0;
    while (sent < line.size()) {
        const ssize_t count = ::send(socket_, line.data() + sent, line.size() - sent, MSG_NOSIGNAL);
        if (count < 0 && errno != EINTR) {
            return;  // the process is gone: receive() will say so
        }
        check_interrupted();
        sent += static_cast<size_t>(count > 0 ? count : 0);
    }
}

Json PythonReference::receive() {
    size_t newline = 0;
    while ((newline = received_.find('\n')) == std::string::npos) {
        std::array<char, 4096> buffer;
        const ssize_t count = recv(socket_, buffer.data(), buffer.size(), 0);
        check_interrupted();
        if (count == 0 || (count < 0 && errno != EINTR)) {
            throw failure(
                fmt::format("the reference could not be computed: {} ended unexpectedly", python_),
                {.file = model_});
        }
        received_.append(buffer.data(), static_cast<size_t>(count > 0 ? count : 0));
    }
    const Json reply = Json::parse(received_.substr(0, newline), nullptr, false);
    received_.erase(0, newline + 1);
    if (!reply.is_object() || reply.contains("error")) {
        throw failure(fmt::format("the reference could not be computed: {}{}",
                                  reply.is_object() ? reply.at("error").get<std::string>()
                                                    : python_ + " gave no answer",
                                  reply.contains("missing") ? kRemedy : ""),
                      {.file = model_});
    }
    return reply;
}

PythonReference::Results PythonReference::run(const std::vector<Array> &inputs) {
    for (size_t i = 0; i < inputs.size(); i++) {
        write_npy(run_request_["inputs"].at(network_.inputs()[i].name).get<std::string>(),
                  inputs[i]);
    }
    send(run_request_);
    receive();
    const auto read = [&](const std::string &name) {
        return read_npy(run_request_["outputs"].at(name).get<std::string>());
    };
    Results results;
    for (const TensorInfo &tensor : network_.outputs()) {
        results.outputs.push_back(read(tensor.name));
        const Array &output = results.outputs.back();
        if (output.type != tensor.type || output.shape != tensor.shape) {
            throw Error(fmt::format("output '{}': the network has {}, {} has {}", tensor.name,
                                    describe(tensor.type, tensor.shape), name_,
                                    describe(output.type, output.shape)),
                        {.file = model_});
        }
    }
    for (const std::string &name : values_) {
        try {
            results.values.emplace(name, read(name));
        } catch (const Error &) {
            continue;  // an element type that tensors here cannot have: nothing to compare with
        }
    }
    return results;
}

}  // namespace emulsion
