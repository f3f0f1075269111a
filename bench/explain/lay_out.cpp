#include "bench/explain/lay_out.h"

#include <cstdlib>
#include <exception>
#include <map>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "backend/files.h"
#include "backend/process.h"
#include "bench/user_files.h"
#include "fusion/error.h"

namespace emulsion {

namespace {

using nlohmann::json;

constexpr double kInch = 72.0;  // Graphviz's points, our pixels
constexpr double kEdgeLabelMargin = 6.0;
// With more edges, `dot` gets less time for straight lines and few crossings: tangled networks of a
// thousand operators would take it minutes.
constexpr size_t kManyEdges = 600;
constexpr const char *kHurry = "graph [nslimit=1, nslimit1=1, mclimit=0.1]\n";
// A shell's status for a program that is not there or can't be run.
constexpr int kNotFound = 127, kNotRunnable = 126;

// A label of a fixed size, whatever fonts `dot` finds.
std::string space(double width, double height) {
    return fmt::format("<<TABLE BORDER=\"0\" FIXEDSIZE=\"TRUE\" WIDTH=\"{:.0f}\" HEIGHT=\"{:.0f}\">"
                       "<TR><TD></TD></TR></TABLE>>",
                       width, height);
}

std::string dot_text(const Drawing &drawing) {
    std::string text = "digraph {\n";
    text += drawing.edges.size() > kManyEdges ? kHurry : "";
    text += "graph [rankdir=TB, nodesep=0.28, ranksep=0.16, margin=0, pad=0]\n"
            "node [shape=box, fixedsize=true, label=\"\"]\n";
    const auto node = [&](size_t i) {
        return fmt::format("n{} [width={:.3f}, height={:.3f}]\n", i, drawing.nodes[i].width / kInch,
                           drawing.nodes[i].height / kInch);
    };
    std::map<int, std::string> inside;  // of the groups that have boxes
    for (const DrawnGroup &group : drawing.groups) {
        inside[group.index];
    }
    for (size_t i = 0; i < drawing.nodes.size(); i++) {
        const auto group = inside.find(drawing.nodes[i].group);
        (group == inside.end() ? text : group->second) += node(i);
    }
    for (const DrawnGroup &group : drawing.groups) {
        text += fmt::format("subgraph cluster_{} {{\nmargin=8\nlabeljust=l\nlabel={}\n{}}}\n",
                            group.index, space(text_width(group.caption), kCaptionHeight),
                            inside[group.index]);
    }
    for (size_t i = 0; i < drawing.edges.size(); i++) {
        const DrawnEdge &edge = drawing.edges[i];
        text += fmt::format("n{} -> n{} [id=e{}", edge.from, edge.to, i);
        if (!edge.label.empty()) {
            text += ", label=" + space(text_width(edge.label) + kEdgeLabelMargin, kEdgeLabelHeight);
        }
        text += "]\n";
    }
    return text + "}\n";
}

// The numbers of "1,2.5" or "0,0,10,20".
std::vector<double> numbers(const std::string &text) {
    std::vector<double> values;
    const char *at = text.c_str();
    char *end = nullptr;
    for (double value = std::strtod(at, &end); end != at; value = std::strtod(at, &end)) {
        values.push_back(value);
        at = *end == ',' ? end + 1 : end;
    }
    return values;
}

// Reads what `dot` answers into the drawing.
class Answer {
public:
    Answer(Drawing &drawing, const json &answer) : drawing_(drawing) {
        const std::vector<double> box = numbers(answer.at("bb"));
        drawing.width = box.at(2);
        drawing.height = box.at(3);
        for (DrawnGroup &group : drawing.groups) {
            groups_[fmt::format("cluster_{}", group.index)] = &group;
        }
        for (const json &object : answer.value("objects", json::array())) {
            take_box(object);
        }
        for (const json &edge : answer.value("edges", json::array())) {
            take_edge(edge);
        }
    }

private:
    Point point(const std::string &text) const {
        const std::vector<double> values = numbers(text);
        return {values.at(0), drawing_.height - values.at(1)};
    }

    void take_box(const json &object) {
        const std::string name = object.at("name");
        if (const auto found = groups_.find(name); found != groups_.end()) {
            const std::vector<double> box = numbers(object.at("bb"));
            DrawnGroup &group = *found->second;
            group.corner = {box.at(0), drawing_.height - box.at(3)};
            group.width = box.at(2) - box.at(0);
            group.height = box.at(3) - box.at(1);
        } else {
            drawing_.nodes.at(std::stoul(name.substr(1))).center = point(object.at("pos"));
        }
    }

    // "e,X,Y X,Y X,Y ...": the arrow's tip, then the points of the curve.
    void take_edge(const json &answered) {
        const std::string id = answered.at("id"), path = answered.at("pos");
        DrawnEdge &edge = drawing_.edges.at(std::stoul(id.substr(1)));
        for (size_t at = 0; at < path.size();) {
            const size_t end = std::min(path.find(' ', at), path.size());
            const std::string word = path.substr(at, end - at);
            if (word.rfind("e,", 0) == 0) {
                edge.tip = point(word.substr(2));
            } else {
                edge.curve.push_back(point(word));
            }
            at = end + 1;
        }
        if (answered.contains("lp")) {
            edge.label_center = point(answered.at("lp"));
        }
    }

    Drawing &drawing_;
    std::map<std::string, DrawnGroup *> groups_;
};

}  // namespace

bool lay_out(Drawing &drawing, int seconds) {
    const auto folder = make_scratch_folder();
    const std::string question = folder->path() / "drawing.dot";
    const std::string answer = folder->path() / "drawing.json";
    write_file(question, dot_text(drawing));
    const ToolResult result =
        run_tool({"/bin/sh", "-c", "ulimit -t \"$0\"; exec dot -Tjson0 -o \"$2\" \"$1\"",
                  fmt::format("{}", seconds), question, answer},
                 "dash");
    if (result.status == kNotFound || result.status == kNotRunnable) {
        throw failure(
            "the program 'dot', which places the boxes of a drawing, can't be run: install "
            "the package graphviz");
    }
    if (result.status != 0) {
        return false;
    }
    try {
        Answer(drawing, json::parse(read_file(answer)));
    } catch (const std::exception &error) {
        throw failure(std::string("'dot' answers with something else than a drawing: ") +
                      error.what());
    }
    return true;
}

}  // namespace emulsion
