// Names of models inside of XML.
#include "bench/explain/markup.h"

#include <gtest/gtest.h>

namespace emulsion {
namespace {

TEST(Markup, NothingOfATextIsReadAsMarkup) {
    EXPECT_EQ(escape_markup("<b a=\"1\" c='2'>&amp;</b>"),
              "&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;amp;&lt;/b&gt;");
    EXPECT_EQ(escape_markup("-->]]>"), "--&gt;]]&gt;");
}

TEST(Markup, TextThatXmlAllowsStaysAsItIs) {
    for (const char *text :
         {"", "conv1/Relu:0", "\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80", "a\n\tb"}) {
        EXPECT_EQ(escape_markup(text), text);
    }
}

TEST(Markup, WhatXmlDoesNotAllowBecomesTheReplacementCharacter) {
    for (const std::string &text :
         {std::string("\x01"), std::string(1, '\0'), std::string("\x7F"), std::string("\xFF"),
          std::string("\xC0\xAF").substr(0, 1), std::string("\xED\xA0\x80").substr(0, 1),
          std::string("\xEF\xBF\xBF")}) {
        EXPECT_EQ(escape_markup(text), "\xEF\xBF\xBD");
    }
    // A character that is cut off does not take the next one with it.
    EXPECT_EQ(escape_markup("\xE2<"), "\xEF\xBF\xBD&lt;");
}

TEST(Markup, LongTextsKeepTheirEndAndWholeCharacters) {
    EXPECT_EQ(keep_end("abcdef", 6), "abcdef");
    EXPECT_EQ(keep_end("abcdefg", 6), "\xE2\x80\xA6"
                                      "cdefg");
    const std::string euros = "\xE2\x82\xAC\xE2\x82\xAC\xE2\x82\xAC\xE2\x82\xAC";
    EXPECT_EQ(keep_end(euros, 3), "\xE2\x80\xA6\xE2\x82\xAC\xE2\x82\xAC");
    for (const char *text : {"abcdefghij", "\xFF\xFE\xFD\xFC\xFB\xFA"}) {
        for (size_t limit = 1; limit < 12; limit++) {
            EXPECT_LE(count_characters(keep_end(text, limit)), limit);
        }
    }
}

}  // namespace
}  // namespace emulsion
