// emulsion explain --html and --svg: everything is on the page once, and nothing of a model is markup.

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "bench/explain/explanation.h"
#include "bench/explain/markup.h"
#include "bench/explain/reasons.h"
#include "tests/bench/explain_page.h"

namespace emulsion {
namespace {

namespace fs = std::filesystem;

class ExplainedPage : public ExplainPage {
protected:
    static std::string program() { return EMULSION_BINARY_DIR "/bin/emulsion"; }
    // Names of its two operators' results, and of its weight.
    static void write_model(const std::string &path, const std::string &operator_name) {
        const std::string code =
            "import sys, onnx\n"
            "from onnx import helper as h, TensorProto as t\n"
            "name = sys.argv[2]\n"
            "nodes = [h.make_node('Relu', ['x'], [name + 'v'], name=name),\n"
            "         h.make_node('Softmax', [name + 'v'], [name + 'y'], name=name + '2')]\n"
            "io = lambda n: h.make_tensor_value_info(n, t.FLOAT, [2, 3])\n"
            "onnx.save(h.make_model(h.make_graph(nodes, name, [io('x')], [io(name + 'y')])),\n"
            "          sys.argv[1])\n";
        const ToolResult result = run_python(code, {path, operator_name});
        ASSERT_EQ(result.status, 0) << result.output;
    }
    // What an XML parser thinks of the file, and the text of every title in it.
    static std::vector<std::string> titles_of_xml(const std::string &path) {
        const std::string code = "import sys, json, xml.etree.ElementTree as e\n"
                                 "svg = '{http://www.w3.org/2000/svg}'\n"
                                 "root = e.parse(sys.argv[1]).getroot()\n"
                                 "assert root.tag == svg + 'svg', root.tag\n"
                                 "known = {'svg', 'g', 'rect', 'path', 'text', 'title', 'style'}\n"
                                 "assert {x.tag.removeprefix(svg) for x in root.iter()} <= known\n"
                                 "print(json.dumps([x.text for x in root.iter(svg + 'title')]))\n";
        const ToolResult result = run_python(code, {path});
        EXPECT_EQ(result.status, 0) << result.output;
        return nlohmann::json::parse(result.output).get<std::vector<std::string>>();
    }
};

TEST_F(ExplainedPage, EveryOperatorAndEveryGroupIsDrawnOnceAndHasARow) {
    const std::string html = page("tiny.onnx");
    const std::string table = html.substr(html.find("<table class=\"groups\">"));
    const std::string rows = table.substr(0, table.find("</table>"));
    const nlohmann::json plan = json("plan.json");
    const std::vector<std::string> drawn = all_matches(html, "data-operator=\"([0-9]+)\"");
    EXPECT_EQ(drawn.size(), plan.at("operators").size());
    EXPECT_EQ(std::set<std::string>(drawn.begin(), drawn.end()).size(), drawn.size());
    for (const auto &op : plan.at("operators")) {
        const std::string name = op.at("name"), type = op.at("type");
        EXPECT_EQ(count(rows, fmt::format("<b>{}</b> <code>{}</code>", type, name)), 1) << name;
    }
    for (size_t g = 0; g < plan.at("groups").size(); g++) {
        const std::string number = std::to_string(g);
        EXPECT_EQ(count(html, "<tr id=\"group-" + number + "\" "), 1);
        const std::regex box("<g class=\"group[ a-z]*\" data-group=\"" + number + "\">");
        EXPECT_EQ(std::distance(std::sregex_iterator(html.begin(), html.end(), box), {}), 1);
    }
}

TEST_F(ExplainedPage, ItsSectionsAreInTheOrderOfItsContents) {
    const std::string html = page("tiny.onnx");
    const std::vector<std::string> sections = all_matches(html, "<h2 id=\"([a-z]+)\">");
    EXPECT_EQ(sections,
              (std::vector<std::string>{"groups", "implementations", "reasons", "edges", "terms"}));
    const std::string contents = html.substr(html.find("<nav"), html.find("</nav>"));
    EXPECT_EQ(all_matches(contents.substr(0, contents.find("</nav>")), "href=\"#([a-z]+)\""),
              sections);
    EXPECT_LT(html.find("<header>"), html.find("class=\"canvas\""));
    EXPECT_LT(html.find("class=\"canvas\""), html.find("<h2 id=\"groups\""));
}

TEST_F(ExplainedPage, EveryGroupHasItsPredictedTimeAndTheLastRowTheirSum) {
    const std::string html = page("tiny.onnx");
    const nlohmann::json plan = json("plan.json");
    const std::vector<std::string> rows = group_rows(html);
    ASSERT_EQ(rows.size(), plan.at("groups").size());
    double sum = 0.0;
    for (size_t g = 0; g < rows.size(); g++) {
        const double ms = plan.at("groups")[g].at("predicted_ms");
        EXPECT_EQ(plan.at("groups")[g].contains("launch"), ms > 0.0);
        EXPECT_EQ(numbers(rows[g]), std::vector<std::string>{time_text(ms)}) << rows[g];
        sum += ms;
    }
    EXPECT_NEAR(plan.at("predicted_ms").get<double>(), sum, 1e-9);
    EXPECT_EQ(numbers(last_row(html)), std::vector<std::string>{time_text(sum)});
    EXPECT_EQ(count(html, fmt::format("<dt>predicted</dt><dd>{:.3f} ms</dd>", sum)), 1);
    EXPECT_EQ(html.find("<dt>predicted over measured</dt>"), std::string::npos);
    EXPECT_FALSE(plan.contains("measured_ms"));
}

// What may be wide breaks: only cells of numbers don't, and these are short.
TEST_F(ExplainedPage, NothingOnItCanBeWiderThanItsPlace) {
    const std::string name = "layer/" + std::string(500, 'a') + "/the_end";
    write_model(file("wide.onnx"), name);
    const std::string html = page("wide.onnx");
    const std::string style = html.substr(html.find("<style>"), html.find("</style>"));
    const std::string page_style = style.substr(0, style.find("</style>"));
    EXPECT_NE(page_style.find("body { margin: 0;"), std::string::npos);
    EXPECT_NE(page_style.find("overflow-wrap: anywhere"), std::string::npos);
    EXPECT_NE(page_style.find("grid-template-columns: minmax(0, 2fr) minmax(0, 3fr)"),
              std::string::npos);
    // What doesn't break, and what has a width of its own.
    EXPECT_EQ(all_matches(page_style, "\n([^\n{]*) \\{[^}]*white-space: nowrap"),
              (std::vector<std::string>{".number", ".mark"}));
    for (const std::string &width : all_matches(page_style, "[ {;](?:min-)?width: ([0-9]+)px")) {
        EXPECT_LE(std::stoi(width), 80);
    }
    for (const char *fixed : {"<pre", "nowrap=", "width=\"", "&nbsp;"}) {
        EXPECT_EQ(count(html.substr(html.find("<section class=\"tables\">")), fixed), 0) << fixed;
    }
    for (const char *style_of : {"number[a-z ]*", "mark"}) {
        const std::string cell =
            std::string("<td class=\"") + style_of + "\"[^>]*>(?:<a [^>]*>)?([^<]*)<";
        for (const std::string &content : all_matches(html, cell)) {
            EXPECT_LE(content.size(), 12U) << content;
        }
    }
    const std::string tables = html.substr(html.find("<section class=\"tables\">"));
    EXPECT_EQ(tables.find(">" + name + "<"), std::string::npos);
    EXPECT_NE(tables.find("<code title=\"" + name + "\">"), std::string::npos);
    EXPECT_NE(tables.find("/the_end</code>"), std::string::npos);
}

TEST_F(ExplainedPage, EveryWordThatGroupsAndOperatorsAreDescribedByIsExplained) {
    const std::string html = page("tiny.onnx");
    const nlohmann::json plan = json("plan.json");
    const std::string terms = html.substr(html.find("<h2 id=\"terms\">"));
    for (const auto &op : plan.at("operators")) {
        EXPECT_EQ(count(terms, fmt::format("<dt>{}</dt>", op.at("mapping").get<std::string>())), 1);
    }
    for (const auto &group : plan.at("groups")) {
        EXPECT_NE(terms.find(group.at("kind").get<std::string>()), std::string::npos);
        for (const auto &place : group.at("placement")) {
            EXPECT_EQ(
                count(terms, fmt::format("<dt>{}</dt>", place.at("placement").get<std::string>())),
                1);
        }
    }
    for (const char *placement : {"inline", "register", "panel", "whole", "root"}) {
        EXPECT_EQ(count(terms, fmt::format("<dt>{}</dt>", placement)), 1) << placement;
    }
}

TEST_F(ExplainedPage, ImplementationsStandWithTheirPricesAndTheOneTakenInBold) {
    const std::string html = page("tiny.onnx");
    const nlohmann::json plan = json("plan.json");
    ASSERT_FALSE(plan.at("choices").empty());
    for (const auto &choice : plan.at("choices")) {
        const std::string name = choice.at("operator");
        EXPECT_NE(html.find("<code>" + name + "</code>"), std::string::npos);
        for (const auto &[implementation, ms] : choice.at("alone_ms").items()) {
            const std::string price = implementation + " " + time_text(ms.get<double>()) + " ms";
            const bool is_taken = implementation == choice.at("implementation");
            EXPECT_NE(html.find(is_taken ? "<b>" + price + "</b>" : price), std::string::npos)
                << price;
        }
    }
}

TEST_F(ExplainedPage, EveryEdgeBetweenGroupsIsDrawnAndListedWithItsReason) {
    const std::string html = page("tiny.onnx");
    const nlohmann::json plan = json("plan.json");
    const std::vector<std::string> titles = titles_of_xml(file("page.svg"));
    std::vector<Refusal> apart;
    for (const auto &edge : plan.at("edges")) {
        const std::string producer = edge.at("producer"), consumer = edge.at("consumer");
        const std::string reason = edge.at("reason");
        EXPECT_FALSE(reason.empty());
        apart.push_back({producer, consumer, reason});
        EXPECT_NE(html.find("<td>" + escape_markup(reason) + "</td></tr>"), std::string::npos);
        EXPECT_EQ(std::count_if(titles.begin(), titles.end(),
                                [&](const std::string &title) {
                                    return title.find(fmt::format("\n{} to {}\n", producer,
                                                                  consumer)) != std::string::npos &&
                                           title.find(reason) != std::string::npos;
                                }),
                  edge.contains("converted_by") ? 2 : 1)
            << edge;
    }
    for (const ReasonKind &kind : kinds_of_reasons(apart)) {
        const std::string cells = "<td class=\"number\">" + std::to_string(kind.refusals.size()) +
                                  "</td><td>" + escape_markup(kind.text) + " <span";
        EXPECT_NE(html.find(cells), std::string::npos) << cells;
    }
}

TEST_F(ExplainedPage, ItNeedsNoOtherFile) {
    const std::string html = page("tiny.onnx");
    for (const char *loads : {"src=", "<link", "@import", "url(", "https:", "fetch("}) {
        EXPECT_EQ(html.find(loads), std::string::npos) << loads;
    }
    // The one address is the name of the SVG language.
    EXPECT_EQ(count(html, "http:"), count(html, "xmlns=\"http://www.w3.org/2000/svg\""));
    EXPECT_EQ(count(html, "http://"), 1);
    // The drawing stands on the page as it stands alone.
    EXPECT_NE(html.find(read_user_file(file("page.svg"))), std::string::npos);
}

TEST_F(ExplainedPage, ASecondRunWritesTheSameBytes) {
    const std::string html = page("tiny.onnx");
    EXPECT_EQ(page("tiny.onnx"), html);
}

TEST_F(ExplainedPage, NamesOfAModelAreTextAndNothingElse) {
    const std::string hostile = "\"><script>alert(1)</script>\\N\\\"]; a -> b [&lt;' <![CDATA[ -->";
    write_model(file("hostile.onnx"), hostile);
    const std::string html = page("hostile.onnx");
    EXPECT_EQ(count(html, "<script"), 1);  // the page's own
    EXPECT_EQ(html.find("alert(1)</script>"), std::string::npos);
    EXPECT_EQ(html.find("<![CDATA["), std::string::npos);
    const std::vector<std::string> titles = titles_of_xml(file("page.svg"));
    EXPECT_TRUE(std::any_of(titles.begin(), titles.end(), [&](const std::string &title) {
        return title.rfind(hostile + " (Relu)", 0) == 0;
    }));
}

TEST_F(ExplainedPage, ALongNameIsWholeUnderThePointerAndShortInItsBox) {
    const std::string name = std::string(3000, 'a') + "/\xE2\x82\xAC/the_end";
    write_model(file("long.onnx"), name);
    page("long.onnx");
    const std::string svg = read_user_file(file("page.svg"));
    EXPECT_NE(svg.find("aaa/\xE2\x82\xAC/the_end</text>"), std::string::npos);
    EXPECT_EQ(svg.find(">" + name + "</text>"), std::string::npos);
    EXPECT_NE(svg.find("<title>" + name + " (Relu)"), std::string::npos);
    const std::vector<std::string> width = all_matches(svg, "^<svg [^>]* width=\"([0-9]+)\"");
    ASSERT_EQ(width.size(), 1U);
    EXPECT_LT(std::stoi(width[0]), 600);
}

TEST_F(ExplainedPage, PlacesThatCannotBeWrittenAreNamedAndLeaveNothing) {
    for (const char *option : {"--html", "--svg", "--onnx"}) {
        expect_error({"explain", file("tiny.onnx"), option, file("no/such/page")}, 1,
                     "no/such/page: cannot be written");
        expect_error({"explain", file("tiny.onnx"), option, file("tmp")}, 1, "cannot be written");
        expect_error({"explain", file("tiny.onnx"), option, "/proc/page"}, 1, "cannot be written");
        expect_error({"explain", file("tiny.onnx"), option, "/dev/full"}, 1, "No space left");
        const ToolResult result = run_tool(
            {"sh", "-c", "trap '' XFSZ; ulimit -f 2; exec \"$0\" explain \"$1\" \"$2\" \"$3\"",
             program(), file("tiny.onnx"), option, file("full")},
            "sh");
        EXPECT_EQ(result.status, 1) << result.output;
    }
    for (const auto &entry : fs::directory_iterator(file("."))) {
        EXPECT_EQ(entry.path().filename().string().rfind("full", 0), std::string::npos) << entry;
    }
    EXPECT_TRUE(leftovers().empty());
}

TEST_F(ExplainedPage, WhatGraphvizCannotPlaceIsSaidOnThePageWhichHasItsTables) {
    fs::create_directory(file("bin"));
    write_whole_file(file("bin/dot"), {"#!/bin/sh\nexit 1\n"});
    fs::permissions(file("bin/dot"), fs::perms::owner_all);
    const std::string shell = "PATH=\"$0:$PATH\" exec \"$@\"";
    const std::vector<std::string> explain = {
        "sh", "-c", shell, file("bin"), program(), "explain", file("tiny.onnx")};
    const auto with = [&](std::vector<std::string> more) {
        more.insert(more.begin(), explain.begin(), explain.end());
        return run_tool(more, "sh");
    };
    const ToolResult page = with({"--html", file("tables.html")});
    EXPECT_EQ(page.status, 0) << page.output;
    const std::string html = read_user_file(file("tables.html"));
    EXPECT_NE(html.find("<p class=\"note\">Graphviz can&#39;t place "), std::string::npos);
    EXPECT_EQ(html.find("<svg"), std::string::npos);
    EXPECT_NE(html.find("<tr id=\"group-0\" "), std::string::npos);
    const ToolResult image = with({"--svg", file("none.svg")});
    EXPECT_EQ(image.status, 1);
    EXPECT_NE(image.output.find("none.svg: Graphviz can't place "), std::string::npos)
        << image.output;
    EXPECT_FALSE(fs::exists(file("none.svg")));
}

TEST_F(ExplainedPage, AMissingGraphvizIsNamedWithItsPackage) {
    const ToolResult result = run_tool(
        {"sh", "-c", "PATH=/nowhere; export PATH; exec \"$0\" explain \"$1\" --html \"$2\"",
         program(), file("tiny.onnx"), file("none.html")},
        "sh");
    EXPECT_EQ(result.status, 1);
    EXPECT_NE(result.output.find("install the package graphviz\n"), std::string::npos)
        << result.output;
    EXPECT_FALSE(fs::exists(file("none.html")));
    EXPECT_TRUE(leftovers().empty());
    run_well({"explain", file("tiny.onnx"), "--json", file("plan.json")});
}

}  // namespace
}  // namespace emulsion
