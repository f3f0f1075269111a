// The one error type of Emulsion: what is thrown when input that the user controls (a model, a plan,
// a parameter, a file) is refused. A broken invariant of our own is an assert, never an Error.
#pragma once

#include <stdexcept>
#include <string>

namespace emulsion {

// What went wrong decides the exit code of the program: refused input and usage end with 2,
// everything else (a folder that can't be written, a tool that failed) with 1.
enum class ErrorKind { Refused, Failed };

// Where in a model an error was found. Every field may be empty.
struct ErrorPlace {
    std::string file;           // path of the model, plan or weights file
    std::string node;           // ONNX node name
    int node_index = -1;        // position of the node in its graph, -1 if unknown
    std::string operator_type;  // ONNX operator type, e.g. "Conv"
};

// One sentence: `FILE: node 'NAME' (#INDEX, OPERATOR): MESSAGE; REMEDY`. The message names the cause, the
// remedy what would be accepted or what to do; it may be empty.
class Error : public std::runtime_error {
public:
    explicit Error(const std::string &message, ErrorPlace place = {},
                   ErrorKind kind = ErrorKind::Refused);

    const std::string &message() const { return message_; }
    const std::string &remedy() const { return remedy_; }
    const ErrorPlace &place() const { return place_; }
    ErrorKind kind() const { return kind_; }
    // Exit code of a program that ends with this error: 2 for refused input, 1 otherwise.
    int exit_code() const { return kind_ == ErrorKind::Refused ? 2 : 1; }
    // The same error with the empty fields of its place filled in from `outer`.
    Error with_place(const ErrorPlace &outer) const;
    // The same error with this remedy.
    Error with_remedy(const std::string &remedy) const;

private:
    Error(const std::string &message, const std::string &remedy, ErrorPlace place, ErrorKind kind);

    std::string message_;
    std::string remedy_;
    ErrorPlace place_;
    ErrorKind kind_;
};

// An error that is not the input's fault (I/O, a tool that failed); exit code 1.
Error failure(const std::string &message, ErrorPlace place = {});

// What `work` returns. Errors that it throws and that name no file are of `file`.
template<typename Work>
auto naming_file(const std::string &file, const Work &work) {
    try {
        return work();
    } catch (const Error &error) {
        if (!error.place().file.empty()) {
            throw;  // as the class that it is
        }
        throw error.with_place({.file = file});
    }
}

}  // namespace emulsion
