#include "bench/tuning/search_page.h"

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include "bench/explain/markup.h"
#include "bench/svg.h"
#include "bench/tuning/model_pictures.h"
#include "bench/tuning/search_explanation.h"

namespace emulsion {

namespace {

constexpr double kPageWidth = 640.0, kPageHeight = 220.0;
constexpr double kEdgeLeft = 56.0, kEdgeRight = 16.0, kEdgeTop = 14.0, kEdgeBottom = 34.0;
// What is slower than that lies on the picture's upper edge.
constexpr double kMostRatio = 2.0;

// Colours that differ in lightness, too; origins beyond these share the last.
constexpr std::array kColours{"#1f5fbf", "#d1701f", "#2c8a4b", "#8a3fa0", "#b3273f", "#70798a"};

constexpr const char *kStyle =
    "body{font:14px/1.45 system-ui,sans-serif;max-width:46em;margin:2em auto;padding:0 1em;color:#1c2430}"
    "h2{font-size:1em;overflow-wrap:anywhere;margin:2em 0 .3em}table{border-collapse:collapse;margin:1em 0}"
    "td,th{padding:.2em .8em;text-align:right;border-bottom:1px solid #d9dee6}"
    "td:first-child,th:first-child{text-align:left}.dot{display:inline-block;width:.7em;height:.7em;"
    "border-radius:50%;margin-right:.5em}svg{width:100%;height:auto}";

using Colours = std::map<std::string, std::string>;  // by origin

Colours colours_of(const SearchExplanation &explanation) {
    Colours colours;
    for (size_t i = 0; i < explanation.origins.size(); i++) {
        colours[explanation.origins[i].origin] = kColours[std::min(i, kColours.size() - 1)];
    }
    return colours;
}

class TaskPicture {
public:
    TaskPicture(const SearchedTask &searched, const Colours &colours)
        : tried_(searched.tried), colours_(colours) {
        for (const TriedPoint &point : tried_) {
            if (point.outcome == Outcome::Ok) {
                least_ = std::min(least_, point.ratio);
            }
        }
        least_ = std::max(least_ - 0.05, 0.0);
    }

    std::string svg() const {
        std::string content = frame();
        double best = 1.0;
        std::vector<std::pair<double, double>> line{{x(0), y(1.0)}};
        for (size_t i = 0; i < tried_.size(); i++) {
            content += dot(i);
            line.emplace_back(x(i + 1), y(best));
            if (tried_[i].outcome == Outcome::Ok && tried_[i].ratio < best) {
                best = tried_[i].ratio;
                line.emplace_back(x(i + 1), y(best));
            }
        }
        content += svg_polyline(line, "stroke=\"#1c2430\" stroke-width=\"1.5\"",
                                fmt::format("the fastest so far: {:.3f}", best));
        return svg_page(kPageWidth, kPageHeight, content);
    }

private:
    double x(size_t trial) const {
        const double share =
            static_cast<double>(trial) / static_cast<double>(std::max<size_t>(tried_.size(), 1));
        return kEdgeLeft + share * (kPageWidth - kEdgeLeft - kEdgeRight);
    }

    double y(double ratio) const {
        const double share = (std::min(ratio, kMostRatio) - least_) / (kMostRatio - least_);
        return kPageHeight - kEdgeBottom - share * (kPageHeight - kEdgeTop - kEdgeBottom);
    }

    std::string frame() const {
        std::string svg;
        for (const double ratio : {least_, 1.0, kMostRatio}) {
            svg += svg_rule({kEdgeLeft, y(ratio)}, {kPageWidth - kEdgeRight, y(ratio)});
            svg += svg_text(kEdgeLeft - 8.0, y(ratio) + 4.0, "end", fmt::format("{:.2f}", ratio));
        }
        return svg + svg_text((kEdgeLeft + kPageWidth - kEdgeRight) / 2.0, kPageHeight - 8.0,
                              "middle",
                              fmt::format("{} trials; time over that of the planned nest",
                                          tried_.size()));
    }

    // What failed is a cross on the upper edge.
    std::string dot(size_t i) const {
        const TriedPoint &point = tried_[i];
        const std::string &colour = colours_.at(point.origin);
        const std::string hint = escape_markup(
            point.outcome == Outcome::Ok
                ? fmt::format("trial {}: {:.3f}, {}", i + 1, point.ratio, point.origin)
                : fmt::format("trial {}: {}, {}", i + 1, name_of(point.outcome), point.origin));
        if (point.outcome != Outcome::Ok) {
            return fmt::format(
                "<text x=\"{:.1f}\" y=\"{:.1f}\" fill=\"{}\" text-anchor=\"middle\">x<title>{}</title></text>\n",
                x(i + 1), y(kMostRatio) + 4.0, colour, hint);
        }
        return fmt::format(
            "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.6\" fill=\"{}\"><title>{}</title></circle>\n",
            x(i + 1), y(point.ratio), colour, hint);
    }

    const std::vector<TriedPoint> &tried_;
    const Colours &colours_;
    double least_ = 1.0;
};

std::string origins_table(const SearchExplanation &explanation, const Colours &colours) {
    std::string html = "<table><thead><tr><th>proposed because</th><th>trials</th><th>right</th>"
                       "<th>improved</th><th>median ratio</th></tr></thead><tbody>\n";
    for (const OriginFigures &origin : explanation.origins) {
        html += fmt::format(
            "<tr><td><span class=\"dot\" style=\"background:{}\"></span>{}</td><td>{}</td>"
            "<td>{}</td><td>{}</td><td>{:.3f}</td></tr>\n",
            colours.at(origin.origin), escape_markup(origin.origin), origin.trials, origin.ok,
            origin.improved, origin.median_ratio);
    }
    return html + "</tbody></table>\n";
}

std::string beliefs(const SearchExplanation &explanation) {
    std::string html;
    if (explanation.predicted > 0) {
        html += fmt::format(
            "<p>Of {} trials that a model proposed, ranks of predicted and measured throughput "
            "correlate with {:.2f}.</p>\n",
            explanation.predicted, explanation.rank_correlation);
    }
    if (!explanation.importances.empty()) {
        html +=
            "<table><thead><tr><th>what the model looks at</th><th>share</th></tr></thead><tbody>\n";
        for (const auto &[name, share] : explanation.importances) {
            html += fmt::format("<tr><td>{}</td><td>{:.1f} %</td></tr>\n", escape_markup(name),
                                100.0 * share);
        }
        html += "</tbody></table>\n";
    }
    return html;
}

}  // namespace

std::string search_page(const TunedNetwork &tuned, const std::string &model,
                        const std::string &strategy) {
    const SearchExplanation explanation = explain_search(tuned);
    const Colours colours = colours_of(explanation);
    std::string html = fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        "<meta name=\"viewport\" content=\"width=device-width\">\n<title>{0}, tuned</title>\n"
        "<style>{1}</style>\n</head>\n<body>\n<h1>{0}, tuned</h1>\n"
        "<p>{2} trials in {3:.0f} seconds with the strategy {4}.</p>\n",
        escape_markup(model), kStyle, tuned.trials, tuned.seconds, escape_markup(strategy));
    html += origins_table(explanation, colours) + beliefs(explanation) + predictions_picture(tuned);
    for (const SearchedTask &searched : tuned.tasks) {
        if (!searched.tried.empty()) {
            html += fmt::format(
                "<h2>{}</h2>\n<p>{:.4f} ms planned, {} times in a run; the fastest nest takes {:.3f} of that.</p>\n",
                escape_markup(searched.task.label), searched.found.curve.planned_ms,
                searched.task.launches, searched.found.best.ratio());
            html += TaskPicture(searched, colours).svg();
            html += learning_curve_picture(searched.found.curve);
            if (searched.found.belief) {
                html += belief_picture(*searched.found.belief);
            }
        }
    }
    return html + "</body>\n</html>\n";
}

}  // namespace emulsion
