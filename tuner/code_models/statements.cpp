#include <nlohmann/json.hpp>

#include "fusion/error.h"
#include "tuner/boosted_trees.h"
#include "tuner/code_model.h"
#include "tuner/losses.h"

namespace emulsion {

namespace {

using Json = nlohmann::json;

constexpr const char *kStatementTreesSchema = "emulsion-statement-trees";

// Statements of programs, and of each the program.
struct StatementsOfPrograms {
    FeatureMatrix rows;
    std::vector<size_t> program;

    explicit StatementsOfPrograms(const CodeList &programs) {
        for (size_t number = 0; number < programs.size(); number++) {
            for (const std::vector<float> &row : programs[number]->statements) {
                rows.columns = row.size();
                rows.values.insert(rows.values.end(), row.begin(), row.end());
                program.push_back(number);
            }
        }
    }
};

// Boosted trees of statements, of which a program's score is the sum (Ansor, L. Zheng et al., OSDI 2020, section 5.2).
class StatementTrees : public CodeModel {
public:
    void fit(const std::vector<CodeSamples> &samples) override {
        CodeList programs;
        std::vector<float> labels;
        for (const CodeSamples &task : samples) {
            programs.insert(programs.end(), task.programs.begin(), task.programs.end());
            labels.insert(labels.end(), task.scores.begin(), task.scores.end());
        }
        const StatementsOfPrograms statements(programs);
        const TreeOptions options{.rounds = 100, .depth = 8};
        trees_.fit(statements.rows, statements.program, throughput_error(std::move(labels)),
                   options);
    }

    bool is_fitted() const override { return trees_.is_fitted(); }

    std::vector<double> scores(const CodeList &programs) const override {
        std::vector<double> scores(programs.size(), 0.0);
        const StatementsOfPrograms statements(programs);
        if (statements.program.empty()) {
            return scores;
        }
        const std::vector<float> of_rows = trees_.predict(statements.rows);
        for (size_t row = 0; row < of_rows.size(); row++) {
            scores[statements.program[row]] += of_rows[row];
        }
        return scores;
    }

    std::string save() const override {
        return Json{{"schema", kStatementTreesSchema},
                    {"version", 1},
                    {"trees", Json::parse(trees_.save())}}
            .dump();
    }

    void load(const std::string &text) override {
        try {
            const Json json = Json::parse(text);
            if (json.at("schema") != kStatementTreesSchema || json.at("version") != 1) {
                throw Error("it is no model of statements' trees of version 1");
            }
            trees_.load(json.at("trees").dump());
        } catch (const Json::exception &error) {
            throw Error(std::string("it is no model of statements' trees: ") + error.what());
        }
    }

private:
    BoostedTrees trees_;
};

}  // namespace

const CodeModelKind &tuning_code_model_statements() {
    static const CodeModelKind kind = {"statements",
                                       "gradient-boosted trees on features of statements (Ansor)",
                                       [](uint64_t) { return std::make_unique<StatementTrees>(); }};
    return kind;
}

}  // namespace emulsion
