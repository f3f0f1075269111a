// What of a model Emulsion does not support: all that loading it and the operators' own checks refuse, in
// one list, instead of the first complaint alone.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "fusion/error.h"

namespace emulsion {

// Of a node of the model's graph. One that reads what a refused node makes has no types and shapes, and
// can't be judged; one that calls a function is refused where a node of that is.
enum class Verdict : uint8_t { Supported, NotJudged, Refused };

struct UnsupportedPart {
    ErrorPlace place;    // without the file; no node where an input or a weight is refused
    std::string reason;  // one sentence
    std::string remedy;  // what to do in this case, empty where there is nothing special
};
// Its remedy, or what helps with most forms of its operator; never empty.
std::string what_to_do(const UnsupportedPart &refusal);

class SupportReport {
public:
    // Refusals beyond these are counted only: a file of a few megabytes can ask for a million.
    static constexpr size_t kMostKept = 1000;

    // Of the model in `file`.
    explicit SupportReport(std::string file) : file_(std::move(file)) {}

    // The model's graph has this many nodes. They are taken to be supported until `judge` says otherwise.
    void set_nodes(size_t count) { verdicts_.assign(count, Verdict::Supported); }
    // Adds what `error` says; a repetition of the last one is left out. Throws `error` itself where it is a
    // failure: the model is not to blame.
    void refuse(const Error &error);
    // Node `index` of the model's graph is this, or worse. Nothing for an index of no node (-1).
    void judge(int index, Verdict verdict);

    const std::string &file() const { return file_; }
    bool clean() const { return count_ == 0; }
    // All refusals, those that were not kept included; and the kept ones, in the order that they were found.
    int64_t count() const { return count_; }
    const std::vector<UnsupportedPart> &refusals() const { return refusals_; }
    // The same by the position of the node; what is no node comes first.
    std::vector<UnsupportedPart> in_model_order() const;
    // All refusals by operator type; those of inputs and weights under "".
    const std::map<std::string, int64_t> &by_operator() const { return by_operator_; }
    int64_t nodes() const { return static_cast<int64_t>(verdicts_.size()); }
    int64_t nodes_that_are(Verdict verdict) const;
    // "3 refusals in 2 of 9 nodes; 4 nodes depend on them and were not judged".
    std::string headline() const;

private:
    std::string file_;
    std::vector<Verdict> verdicts_;
    std::vector<UnsupportedPart> refusals_;
    std::map<std::string, int64_t> by_operator_;
    int64_t count_ = 0;
    UnsupportedPart last_;
};

// What is thrown for a model with refusals. Of one refusal it is the sentence that an Error is; of
// several the headline and the first few.
class UnsupportedModel : public Error {
public:
    explicit UnsupportedModel(std::shared_ptr<const SupportReport> report);

    const SupportReport &report() const { return *report_; }
    std::shared_ptr<const SupportReport> shared_report() const { return report_; }

private:
    std::shared_ptr<const SupportReport> report_;
};

}  // namespace emulsion
