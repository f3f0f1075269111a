#include "bench/explain/page_frame.h"

#include <fmt/format.h>

#include "bench/explain/markup.h"
#include "bench/explain/page_files.h"

namespace emulsion {

namespace {

// What a browser may load on behalf of the page: nothing that is not in it.
constexpr const char *kPolicy =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'";

constexpr const char *kTools =
    "<div class=\"tools\"><input id=\"search\" type=\"search\" placeholder=\"Find an operator\" "
    "title=\"Part of its name, type or placement; Enter for the next\" "
    "aria-label=\"Find an operator\">"
    "<output id=\"count\"></output>"
    "<button id=\"smaller\" title=\"Smaller; the mouse wheel does it as well\">&#8722;</button>"
    "<button id=\"larger\" title=\"Larger\">+</button>"
    "<button id=\"top\" title=\"The beginning of the network\">Top</button>"
    "<button id=\"whole\" title=\"The whole network\">Whole</button></div>\n";

std::string picture_pane(const Picture &picture) {
    std::string html = "<section class=\"picture\">\n";
    if (!picture.svg.empty()) {
        html += kTools;
    }
    if (!picture.note.empty()) {
        html += "<p class=\"note\">" + escape_markup(picture.note) + ".</p>\n";
    }
    return html + "<div class=\"canvas\">\n" + picture.svg + "</div>\n</section>\n";
}

}  // namespace

std::string page_figure(const std::string &value, const char *what) {
    return fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", what, escape_markup(value));
}

std::string framed_page(const std::string &title, const std::string &header, const Picture &picture,
                        const std::string &tables) {
    std::string html = fmt::format("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
                                   "<meta charset=\"utf-8\">\n"
                                   "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n"
                                   "<meta name=\"viewport\" content=\"width=device-width\">\n"
                                   "<title>{}</title>\n"
                                   "<style>\n{}</style>\n</head>\n<body>\n",
                                   kPolicy, escape_markup(title), page_style());
    html += header + "<main>\n" + picture_pane(picture) + "<section class=\"tables\">\n" + tables +
            "</section>\n</main>\n";
    return html + fmt::format("<script>\n{}</script>\n</body>\n</html>\n", page_script());
}

}  // namespace emulsion
