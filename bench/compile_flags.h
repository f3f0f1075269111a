// The flags that say how a model is compiled: of `compile`, and of the commands that take a
// MODEL.onnx and compile it first.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "backend/compiler.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace emulsion {

class Predictor;
class Progress;

class CompileFlags {
public:
    enum class Policies {
        One,
        Several,
        All
    };  // --policy, or --policies with some or all by default
    // Without flags that only code generation knows; or those that only planning knows either.
    enum class Use { Compile, PlanOnly, CheckOnly };
    void add_to(CLI::App &app, Policies policies = Policies::One, Use use = Use::Compile);

    // Checked; throws Error for what is unknown or does not exist yet. Progress goes to `progress`.
    CompileOptions options(Progress &progress) const;
    // The policies of --policies, checked.
    std::vector<std::string> policies() const;
    // Of --predictor, or the one that comes with Emulsion.
    std::shared_ptr<const Predictor> predictor() const;
    // Throws Error if any flag was given: a compiled folder's plan is fixed.
    void refuse_for(const std::string &folder) const;

    int threads = 0;  // as asked for with --threads; 0 where it was not

private:
    bool plans() const { return use_ != Use::CheckOnly; }
    void add(CLI::Option *option);
    void add_policy_flags(Policies policies);
    void add_machine_flags();  // and those of the search
    void add_model_flags();    // what is compiled of the model, and how
    void add_build_flags();
    void check_machine() const;
    void check_plan() const;
    void take_tuned(CompileOptions &options) const;
    void take_predictor(CompileOptions &options) const;

    std::string policy_ = "gao2025";
    std::vector<std::string> policies_ = {"none", "gao2025"};
    std::string target_ = "host";
    std::string machine_file_, plan_file_, tuned_file_, predictor_file_;
    bool predicts_ = false;
    int64_t search_budget_ = SearchOptions().budget;
    std::vector<std::string> disabled_passes_;
    std::vector<std::string> shapes_;
    std::vector<std::string> implementations_;
    std::string cache_folder_;
    bool no_cache_ = false;
    bool exact_ = false;
    bool checked_ = false;
    int jobs_ = 0;
    Use use_ = Use::Compile;
    std::vector<CLI::Option *> given_;
    CLI::App *app_ = nullptr;
};

}  // namespace emulsion
