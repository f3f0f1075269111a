#include "frontend/graph/support_report.h"

#include <algorithm>
#include <tuple>

#include "frontend/graph/remedies.h"

namespace emulsion {

namespace {

// In the sentence of an UnsupportedModel, which stays one.
constexpr size_t kMostInSentence = 4;

auto key(const UnsupportedPart &refusal) {
    return std::tie(refusal.place.node, refusal.place.node_index, refusal.place.operator_type,
                    refusal.reason);
}

std::string plural(int64_t count, const std::string &what) {
    return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

Error sum_up(const SupportReport &report) {
    ErrorPlace place;
    place.file = report.file();
    if (report.count() == 1) {
        const UnsupportedPart &only = report.refusals().front();
        return Error(only.reason, only.place).with_remedy(only.remedy).with_place(place);
    }
    std::string text = report.headline() + ": ";
    const size_t shown = std::min(report.refusals().size(), kMostInSentence);
    for (size_t i = 0; i < shown; i++) {
        const UnsupportedPart &refusal = report.refusals()[i];
        text += (i == 0 ? "(" : "; (") + std::to_string(i + 1) + ") " +
                Error(refusal.reason, refusal.place).with_remedy(refusal.remedy).what();
    }
    const int64_t rest = report.count() - static_cast<int64_t>(shown);
    return Error(text + (rest > 0 ? "; and " + std::to_string(rest) + " more" : ""), place);
}

}  // namespace

std::string what_to_do(const UnsupportedPart &refusal) {
    return refusal.remedy.empty() ? remedy_for_form(refusal.place.operator_type) : refusal.remedy;
}

void SupportReport::refuse(const Error &error) {
    if (error.kind() != ErrorKind::Refused) {
        throw Error(error);
    }
    UnsupportedPart refusal = {error.place(), error.message(), error.remedy()};
    refusal.place.file.clear();
    if (count_ > 0 && key(refusal) == key(last_)) {
        return;
    }
    last_ = refusal;
    count_++;
    by_operator_[refusal.place.operator_type]++;
    if (refusals_.size() < kMostKept) {
        refusals_.push_back(std::move(refusal));
    }
}

void SupportReport::judge(int index, Verdict verdict) {
    if (index >= 0 && static_cast<size_t>(index) < verdicts_.size()) {
        Verdict &known = verdicts_[static_cast<size_t>(index)];
        known = std::max(known, verdict);
    }
}

std::vector<UnsupportedPart> SupportReport::in_model_order() const {
    std::vector<UnsupportedPart> sorted = refusals_;
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const UnsupportedPart &a, const UnsupportedPart &b) {
                         return a.place.node_index < b.place.node_index;
                     });
    return sorted;
}

int64_t SupportReport::nodes_that_are(Verdict verdict) const {
    return std::count(verdicts_.begin(), verdicts_.end(), verdict);
}

std::string SupportReport::headline() const {
    std::string text = plural(count_, "refusal");
    if (const int64_t refused = nodes_that_are(Verdict::Refused); refused > 0) {
        text += " in " + std::to_string(refused) + " of " + plural(nodes(), "node");
    }
    if (const int64_t open = nodes_that_are(Verdict::NotJudged); open > 0) {
        text += "; " + plural(open, "node") + (open == 1 ? " depends" : " depend") +
                " on what was refused and " + (open == 1 ? "was" : "were") + " not judged";
    }
    return text;
}

UnsupportedModel::UnsupportedModel(std::shared_ptr<const SupportReport> report)
    : Error(sum_up(*report)), report_(std::move(report)) {}

}  // namespace emulsion
