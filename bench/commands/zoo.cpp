// emulsion zoo: well-known networks with random weights.

#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "bench/cli/validators.h"
#include "bench/commands/command.h"
#include "bench/progress.h"
#include "frontend/zoo/zoo.h"

namespace emulsion {

namespace {

constexpr const char *kZooManual =
    "The weights are random, from a seed, and scaled so that the standard deviation of every\n"
    "activation and output lies between 0.1 and 10: a wrong layer shows in the outputs. Parameters\n"
    "are counted without the running statistics of batch norms.\n"
    "\n"
    "Examples:\n"
    "  emulsion zoo list\n"
    "  emulsion zoo write vgg16 -o vgg16.onnx --seed 2\n"
    "  emulsion zoo write mobilenet_v1 -o large.onnx --batch 16 --image-size 1024";

constexpr int64_t kMostImages = 4096, kLargestImage = 16384;

std::vector<std::string> network_names() {
    std::vector<std::string> names;
    for (const ZooEntry &entry : zoo_entries()) {
        names.push_back(entry.name);
    }
    return names;
}

struct ZooArguments {
    std::string name, output;
    ZooOptions network;
    CLI::App *write = nullptr;
};

int zoo(const ZooArguments &options) {
    if (options.write->parsed()) {
        Progress progress;
        progress.show(0, 0, "writing " + options.name);
        write_zoo_model(options.name, options.output, options.network);
        return 0;
    }
    fmt::print("{:<20}{:>14}  {}\n", "name", "parameters", "description");
    for (const ZooEntry &entry : zoo_entries()) {
        fmt::print("{:<20}{:>14}  {}\n", entry.name, entry.parameters, entry.description);
    }
    return 0;
}

std::function<int()> add_zoo(CLI::App &app) {
    auto options = std::make_shared<ZooArguments>();
    app.require_subcommand(1);
    app.footer(kZooManual);
    app.add_subcommand("list", "Print the names");
    options->write = app.add_subcommand("write", "Write a network as an ONNX file");
    options->write->add_option("NAME", options->name, "The network")
        ->check(words(network_names()))
        ->required();
    options->write->add_option("-o,--output", options->output, "File to write")
        ->type_name("FILE")
        ->required();
    options->write->add_option("--seed", options->network.seed, "Of the weights")
        ->capture_default_str()
        ->type_name("N");
    options->write->add_option("--batch", options->network.batch, "Images")
        ->check(CLI::Range(int64_t{1}, kMostImages))
        ->capture_default_str()
        ->type_name("N");
    options->write
        ->add_option("--image-size", options->network.image_size,
                     "Height and width of the images, instead of those of the network's paper")
        ->check(CLI::Range(int64_t{1}, kLargestImage))
        ->type_name("PIXELS");
    return [options] { return zoo(*options); };
}

}  // namespace

const Command &command_zoo() {
    static const Command command = {"zoo", "List or write well-known networks", add_zoo};
    return command;
}

}  // namespace emulsion
