#include "fusion/image/tuned_images.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "fusion/error.h"
#include "tests/fusion/documented_json.h"

namespace emulsion {

namespace {

TunedImages example_images() {
    return {"x86-64-linux",
            2,
            "Some processor",
            {{"i1", {"blur", {"images", {{"3.block0", 128}, {"3.vectors", 2}}}, 0.9}},
             {"i2", {"other", {"images", {}}, 0.8}}}};
}

std::string refusal_of_images(const std::string &before, const std::string &after) {
    std::string text = to_json(example_images());
    const size_t at = text.find(before);
    EXPECT_NE(std::string::npos, at) << before;
    text.replace(at, before.size(), after);
    try {
        tuned_images_from_json(text, "tuned.json");
    } catch (const Error &error) {
        return error.what();
    }
    return "";
}

}  // namespace

TEST(TunedImages, ComeBackFromJsonThatIsDocumented) {
    const std::string text = to_json(example_images());
    EXPECT_EQ(example_images(), tuned_images_from_json(text, "tuned.json"));
    EXPECT_EQ("", undocumented(nlohmann::json::parse(text)));
}

TEST(TunedImages, WhatIsNoSuchFileIsRefusedInASentence) {
    EXPECT_EQ("tuned.json: 'target' is no text", refusal_of_images("\"x86-64-linux\"", "3"));
    EXPECT_EQ("tuned.json: 'threads' is 0, accepted are 1 to 4096",
              refusal_of_images("\"threads\": 2", "\"threads\": 0"));
    EXPECT_EQ("tuned.json: 'threads' is no whole number from 0 on",
              refusal_of_images("\"threads\": 2", "\"threads\": -2"));
    EXPECT_EQ("tuned.json: parameter '3.block0' is 1.5, which is no whole number of 64 bits",
              refusal_of_images("128", "1.5"));
    EXPECT_EQ("tuned.json: 'pipelines' has problem i1 twice",
              refusal_of_images("\"i2\"", "\"i1\""));
    EXPECT_NE("", refusal_of_images("emulsion-tuned-images", "emulsion-tuned"));
    EXPECT_NE("", refusal_of_images("{", ""));
    EXPECT_NE("", refusal_of_images("\"label\"", "\"lable\""));
}

}  // namespace emulsion
