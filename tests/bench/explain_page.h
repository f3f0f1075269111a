// The page of `emulsion explain`, as text to look into.
#pragma once

#include <regex>
#include <string>
#include <vector>

#include "tests/bench/program.h"

namespace emulsion {

class ExplainPage : public ProgramTest {
protected:
    static void SetUpTestSuite() {
        ProgramTest::SetUpTestSuite();
        run_well({"zoo", "write", "tiny_concat", "-o", file("tiny.onnx")});
    }
    static std::string page(const std::string &model, std::vector<std::string> more = {}) {
        more.insert(more.begin(), {"explain", file(model), "--html", file("page.html"), "--svg",
                                   file("page.svg"), "--json", file("plan.json")});
        run_well(more);
        return read_user_file(file("page.html"));
    }
    static std::vector<std::string> all_matches(const std::string &text, const std::string &regex) {
        std::vector<std::string> found;
        const std::regex pattern(regex);
        for (std::sregex_iterator i(text.begin(), text.end(), pattern), end; i != end; ++i) {
            found.push_back((*i)[1]);
        }
        return found;
    }
    // Of the table of groups, in its order; and the one with the sums.
    static std::vector<std::string> group_rows(const std::string &html) {
        return all_matches(html, "(<tr id=\"group-[0-9]+\" [^\n]*)");
    }
    static std::string last_row(const std::string &html) {
        return html.substr(html.find("<tfoot>"), html.find("</tfoot>") - html.find("<tfoot>"));
    }
    static std::vector<std::string> numbers(const std::string &row) {
        return all_matches(row, "<td class=\"number[a-z ]*\"[^>]*>([^<]*)</td>");
    }
    static int count(const std::string &text, const std::string &part) {
        int found = 0;
        for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
            found++;
        }
        return found;
    }
};

}  // namespace emulsion
