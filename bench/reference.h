// Results to verify against.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include <sys/types.h>

#include "backend/artifact_reader.h"
#include "bench/json_file.h"
#include "bench/npy.h"
#include "bench/user_files.h"

namespace emulsion {

// Throws Error (refused) unless `model` is an ONNX model with the inputs and outputs of `network`: their
// names, types and shapes.
void expect_model_of(const std::string &model, const Artifact &network);

// What a model computes, in a Python process of its own, which lives as long as this object. Exchanges
// tensors through files of a temporary folder, one run at a time.
class PythonReference {
public:
    // ONNX Runtime; or the evaluator of the onnx package, which is slow, with every f32 as f64: the
    // results are rounded to the model's types at the end.
    enum class Engine { OnnxRuntime, Double };
    struct Results {
        std::vector<Array> outputs;           // in the network's order, with its types and shapes
        std::map<std::string, Array> values;  // those of the inner values that the model has
    };

    // `values` names inner values that are wanted of every run. Throws Error (failed) when the engine
    // is not there or refuses the model.
    PythonReference(Engine engine, const std::string &model, const std::string &python,
                    const Artifact &network, const std::vector<std::string> &values);
    ~PythonReference();
    PythonReference(const PythonReference &) = delete;
    PythonReference &operator=(const PythonReference &) = delete;

    // With its version: "ONNX Runtime 1.20.1".
    const std::string &name() const { return name_; }
    // What the model makes of these inputs. Throws Error (failed) when the engine fails, (refused)
    // when the model's outputs are not the network's.
    Results run(const std::vector<Array> &inputs);

private:
    void send(const Json &message) const;
    Json receive();  // one line; throws Error for what is no good answer

    std::string model_, python_;
    const Artifact &network_;
    std::unique_ptr<TemporaryFolder> scratch_;
    int socket_ = -1;
    pid_t process_ = -1;
    std::string received_;  // bytes after the last line
    std::string name_;
    Json run_request_;
    std::vector<std::string> values_;
};

// One run's results from files, as NAME=FILE.npy, as files named after outputs (what `run` writes),
// or as the one file of the one output. Throws Error where they are not the network's outputs.
std::vector<Array> read_reference(const std::vector<std::string> &files, const Artifact &network);

}  // namespace emulsion
