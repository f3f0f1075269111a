#include "autoscheduler/params.h"

#include <gtest/gtest.h>

#include "fusion/error.h"

namespace emulsion {

namespace {

// What a value of a parameter is refused with.
std::string refusal_of_params(const std::string &key, const std::string &value) {
    try {
        params_from({{key, value}});
    } catch (const Error &e) {
        EXPECT_EQ(2, e.exit_code());
        return e.what();
    }
    return "";
}

}  // namespace

TEST(Params, WithoutAnyTheyAreTheDefaults) {
    const Gao2025Params params = params_from({});
    EXPECT_EQ(16, params.parallelism);
    EXPECT_EQ("gao2025", params.policy);
    EXPECT_TRUE(params.plan.empty());
    EXPECT_TRUE(params.plan_out.empty());
}

TEST(Params, AreReadByName) {
    const Gao2025Params params = params_from({{"parallelism", "8"},
                                              {"last_level_cache_size", "1048576"},
                                              {"balance", "2.5"},
                                              {"policy", "none"},
                                              {"plan", "{}"},
                                              {"exact_estimates", "true"},
                                              {"plan_out", "out.json"}});
    EXPECT_EQ(8, params.parallelism);
    EXPECT_EQ(1048576, params.last_level_cache_size);
    EXPECT_EQ(2.5, params.balance);
    EXPECT_EQ("none", params.policy);
    EXPECT_EQ("{}", params.plan);
    EXPECT_TRUE(params.exact_estimates);
    EXPECT_EQ("out.json", params.plan_out);
}

TEST(Params, AnUnknownOneIsRefusedAndTheKnownOnesAreNamed) {
    const std::string message = refusal_of_params("paralellism", "8");
    for (const char *word : {"autoscheduler.paralellism", "parallelism", "plan_out", "balance"}) {
        EXPECT_NE(std::string::npos, message.find(word)) << message;
    }
}

TEST(Params, ValuesOutOfRangeAndNonsenseAreRefused) {
    for (const char *value :
         {"", "0", "-1", "4097", "8 ", " 8", "8.5", "0x8", "many", "99999999999999999999"}) {
        EXPECT_NE(std::string::npos, refusal_of_params("parallelism", value).find("1 to 4096"))
            << value;
    }
    EXPECT_NE(std::string::npos,
              refusal_of_params("exact_estimates", "yes").find("true and false"));
    for (const char *value : {"1023", "1099511627777", "16M", "-5"}) {
        EXPECT_NE("", refusal_of_params("last_level_cache_size", value)) << value;
    }
    for (const char *value : {"-0.1", "nan", "inf", "1e7", "1,5"}) {
        EXPECT_NE("", refusal_of_params("balance", value)) << value;
    }
}

}  // namespace emulsion
