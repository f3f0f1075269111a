#include "tests/fuzz/hostile_values.h"

#include <limits>

namespace emulsion::fuzz {

namespace {

constexpr int64_t kLowest = std::numeric_limits<int64_t>::min();
constexpr int64_t kHighest = std::numeric_limits<int64_t>::max();

}  // namespace

int64_t integer(PortableRandom &random, Hostility hostility) {
    if (!hostility.strikes(random)) {
        return static_cast<int64_t>(pick(random, 7)) - 2;
    }
    switch (pick(random, 3)) {
    case 0: {  // around a power of two
        const int64_t power = int64_t{1} << pick(random, 63);
        const auto near = static_cast<int64_t>(pick(random, 3)) - 1;
        return random.next() % 2 == 0 ? power + near : -power + near;
    }
    case 1: return choose<int64_t>(random, {kLowest, kLowest + 1, kHighest, kHighest - 1, 0, -1});
    default: return static_cast<int64_t>(random.next());
    }
}

double real(PortableRandom &random, Hostility hostility) {
    if (!hostility.strikes(random)) {
        return static_cast<double>(random.uniform(-2.0F, 2.0F));
    }
    constexpr double infinity = std::numeric_limits<double>::infinity();
    return choose<double>(random,
                          {0.0, -0.0, 1e-45, 1e-300, -1.0, 2.0, 1e9, -1e9, 1e30, 1e308, -1e308,
                           infinity, -infinity, std::numeric_limits<double>::quiet_NaN()});
}

std::string text(PortableRandom &random, Hostility hostility) {
    if (hostility.strikes(random)) {
        return choose<std::string>(random, {"", " ", "\xff\xfe", "a\nb", std::string(5000, 'x'),
                                            ",,->", "...->", "ii->i", "%s%n", "->"});
    }
    return choose<std::string>(random, {"NOTSET",
                                        "SAME_UPPER",
                                        "SAME_LOWER",
                                        "VALID",
                                        "constant",
                                        "reflect",
                                        "edge",
                                        "wrap",
                                        "nearest",
                                        "linear",
                                        "cubic",
                                        "bilinear",
                                        "bicubic",
                                        "zeros",
                                        "border",
                                        "reflection",
                                        "half_pixel",
                                        "align_corners",
                                        "asymmetric",
                                        "tf_crop_and_resize",
                                        "floor",
                                        "ceil",
                                        "round_prefer_floor",
                                        "stretch",
                                        "not_larger",
                                        "not_smaller",
                                        "none",
                                        "add",
                                        "mul",
                                        "max",
                                        "min",
                                        "LEFT",
                                        "RIGHT",
                                        "DCR",
                                        "CRD",
                                        "tanh",
                                        "avg",
                                        "output_half_pixel",
                                        "ij,jk->ik",
                                        "ij->ji",
                                        "i,i->",
                                        "...i,...i->...",
                                        "bij,bjk->bik",
                                        "ij->",
                                        "i->i"});
}

int64_t extent(PortableRandom &random, Hostility hostility) {
    if (hostility.strikes(random)) {
        return choose<int64_t>(random,
                               {0, -1, 17, 1000, 65536, (int64_t{1} << 31) - 1, int64_t{1} << 31,
                                int64_t{1} << 32, int64_t{1} << 62, kHighest, kLowest});
    }
    return choose<int64_t>(random, {1, 1, 2, 2, 3, 4, 5, 8});
}

std::vector<int64_t> integers(PortableRandom &random, size_t count, Hostility hostility) {
    std::vector<int64_t> values(count);
    for (int64_t &value : values) {
        value = integer(random, hostility);
    }
    return values;
}

}  // namespace emulsion::fuzz
