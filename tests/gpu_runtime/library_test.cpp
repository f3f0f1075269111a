#include "runtime/gpu/library.h"

#include <cmath>
#include <string>

#include <gtest/gtest.h>

namespace emulsion::runtime::gpu {

namespace {

constexpr const char *kNowhere[] = {"libnowhere.so", "libnowhere.so.5", nullptr};
constexpr const char *kSomewhere[] = {"libnowhere.so", "libm.so.6", nullptr};

}  // namespace

TEST(Library, TheFirstOfItsNamesThatIsThereIsOpened) {
    Message why;
    void *library = open_library(kSomewhere, "EMULSION_TEST_LIBRARY", "nothing works", "", &why);
    ASSERT_NE(nullptr, library) << why.text;
    double (*square_root)(double) = nullptr;
    ASSERT_TRUE(find_function(library, "sqrt", "nothing works", &square_root, &why)) << why.text;
    EXPECT_EQ(3.0, square_root(9.0));
}

TEST(Library, AMissingLibraryIsASentenceWithTheRemedy) {
    Message why;
    EXPECT_EQ(nullptr, open_library(kNowhere, "EMULSION_TEST_LIBRARY", "no AMD GPU can be used",
                                    "install it", &why));
    const std::string sentence = why.text;
    EXPECT_EQ(0U, sentence.find("no AMD GPU can be used: libnowhere.so isn't there ("));
    EXPECT_NE(std::string::npos, sentence.find("cannot open shared object file"));
    EXPECT_EQ(sentence.size() - 13, sentence.find("); install it")) << sentence;
}

TEST(Library, AMissingFunctionIsASentence) {
    Message why;
    void *library = open_library(kSomewhere, "EMULSION_TEST_LIBRARY", "nothing works", "", &why);
    void (*function)() = nullptr;
    EXPECT_FALSE(find_function(library, "no_such_function", "nothing works", &function, &why));
    EXPECT_STREQ(
        "nothing works: the driver's library has no function no_such_function; it is too old or "
        "incomplete",
        why.text);
}

}  // namespace emulsion::runtime::gpu
