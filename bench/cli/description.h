// The program's commands and options as data, read from the command line's parser: what help text,
// man page and shell completion are made of.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace emulsion {

struct OptionDescription {
    std::vector<std::string> names;  // "-o", "--output"; empty for a positional argument
    std::string value;               // "FILE.npy", "N", "MODEL.onnx|DIR"; empty for a flag
    std::string accepted;            // "1 to 256", "gao2025|none"; empty where nothing is said
    std::string default_value;       // empty where there is none
    std::string text;                // a sentence without a full stop
    std::string group;               // heading
    bool required = false;
    bool repeated = false;  // takes several values
    bool listed = false;    // values may be joined by commas

    bool positional() const { return names.empty(); }
    bool flag() const { return value.empty(); }
};

// What a value may be, as far as a shell can help with it.
struct ValueKinds {
    std::vector<std::string> words;     // literally
    std::vector<std::string> suffixes;  // files that end so, ".onnx"
    bool files = false;                 // any files
    bool folders = false;
};
ValueKinds value_kinds(const OptionDescription &option);

struct CommandDescription {
    std::string name;                        // "write"
    std::string path;                        // "emulsion zoo write"
    std::string summary;                     // one line
    std::string manual;                      // paragraphs
    std::vector<OptionDescription> options;  // positional ones first; hidden ones left out
    std::vector<CommandDescription> commands;
};

CommandDescription describe(const CLI::App &app);

}  // namespace emulsion
