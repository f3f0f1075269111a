// What Halide can lower is planned: domains, types, ranks, tuples and updates that are out of the ordinary.
#include <gtest/gtest.h>

#include "tests/autoscheduler/planned_images.h"

namespace emulsion {

namespace {

using Halide::cast;
using Halide::clamp;
using Halide::Expr;
using Halide::Func;
using Halide::RDom;
using Halide::select;
using Halide::Tuple;
using Halide::Var;

const int kColumns = kEstimatedSize[0], kRows = kEstimatedSize[1];

class UnusualPipelines : public testing::Test {
protected:
    Func image() const { return Halide::BoundaryConditions::repeat_edge(image_of_numbers()); }

    const Var x{"x"}, y{"y"}, c{"c"}, i{"i"};
};

}  // namespace

TEST_F(UnusualPipelines, HaveDomainsWithConditions) {
    expect_same_images([&]() -> ImagePipeline {
        const Func in = image();
        Func disc("disc"), triangle("triangle"), out("out");
        RDom r(-4, 9, -4, 9);
        r.where(r.x * r.x + r.y * r.y <= 17);
        disc(x, y) = 0;
        disc(x, y) += in(x + r.x, y + r.y);
        RDom t(0, 20, 0, 20);
        t.where(t.x < t.y);
        t.where(in(t.x, t.y) > 100);
        triangle(x) = x;
        triangle(t.x) = triangle(t.x) * 3 + t.y;
        out(x, y) = disc(x, y) + triangle(clamp(x, 0, 19)) + disc(x, y + 1);
        return {{out}, {}};
    });
}

TEST_F(UnusualPipelines, UpdateAtPlacesThatDataGive) {
    expect_same_images([&]() -> ImagePipeline {
        const Func in = image();
        Func counts("counts"), permuted("permuted"), out("out");
        const RDom all(0, kColumns, 0, kRows);
        counts(i, c) = 0;
        counts(clamp(in(all.x, all.y), 0, 255), all.x % 3) += all.y;
        permuted(x, y) = -1;
        const RDom row(0, kColumns);
        permuted(clamp(in(row, y), 0, kColumns - 1), y) = row;
        out(x, y) = counts(clamp(in(x, y), 0, 255), 1) + permuted(clamp(x, 0, kColumns - 1), y);
        return {{out}, {}};
    });
}

TEST_F(UnusualPipelines, UpdateBesideWhatIsRead) {
    for (const int place : {0, 2, 5, -4}) {
        SCOPED_TRACE(place);
        expect_same_images([&]() -> ImagePipeline {
            const Func in = image();
            Halide::Param<int> at("at");
            at.set(place);
            const RDom row(0, kColumns);
            Func patched("patched"), out("out");
            patched(x, y, c) = in(x, y) * (c + 1);
            patched(x, y, at) = in(x, y + 1) - 3;
            patched(row, y, c) += in(row, y);
            out(x, y, c) = patched(x, y, c) + patched(x + 1, y, 2 - c);
            out.bound(c, 0, 3);
            return {{out}, {}};
        });
    }
}

TEST_F(UnusualPipelines, UpdateOutputs) {
    expect_same_images([&]() -> ImagePipeline {
        const Func in = image();
        Func out("out");
        out(x, y) = in(x, y);
        const RDom r(1, kColumns - 1), d(0, 10);
        out(r, y) += out(r - 1, y) / 2;
        out(x, 5) = x;
        out(clamp(in(d, 0), 0, kColumns - 1), clamp(in(0, d), 0, kRows - 1)) = 77;
        return {{out}, {}};
    });
}

// Computed at the tiles of the one it would be missing in the other.
TEST_F(UnusualPipelines, ReadTheSameInSeveralDefinitions) {
    expect_same_images([&]() -> ImagePipeline {
        const Func in = image();
        Func sums("sums"), patched("patched"), out("out");
        const RDom window(0, 9), r(0, 12);
        sums(x, y) = 0;
        sums(x, y) += in(x + window, y);
        patched(x, y) = sums(x, y) * 2 + sums(x + 1, y);
        patched(clamp(sums(r, 0) - 900, 0, 30), clamp(sums(1, r) - 900, 0, 30)) = r * 2;
        out(x, y) = patched(x, y) + patched(x + 1, y + 1);
        return {{out}, {}};
    });
}

TEST_F(UnusualPipelines, HaveTuplesWithUpdates) {
    expect_same_images([&]() -> ImagePipeline {
        const Func in = image();
        Func least("least"), out("out"), both("both");
        const RDom r(0, 9);
        least(x, y) = Tuple(1000, 0);
        const Expr value = in(x + r, y);
        least(x, y) =
            Tuple(min(least(x, y)[0], value), select(value < least(x, y)[0], r, least(x, y)[1]));
        out(x, y) = least(x, y)[1] * 1000 + least(x, y + 1)[0];
        both(x, y) = Tuple(cast<uint8_t>(least(x, y)[0]), cast<int16_t>(out(x, y)));
        return {{both}, {}};
    });
}

TEST_F(UnusualPipelines, HaveOutputsOfSeveralRanksAndTypes) {
    expect_same_images([&]() -> ImagePipeline {
        const Func in = image();
        Func total("total"), columns("columns"), dark("dark"), bytes("bytes");
        const RDom all(0, kColumns, 0, kRows), down(0, kRows);
        total() = cast<int64_t>(0);
        total() += cast<int64_t>(in(all.x, all.y));
        columns(x) = cast<uint16_t>(0);
        columns(x) += cast<uint16_t>(in(x, down));
        dark(x, y) = in(x, y) * kColumns * kRows < cast<int>(total());
        bytes(x, y, c) =
            cast<uint8_t>(select(dark(x, y), cast<int>(columns(x) / 64), in(x, y)) + c);
        return {{bytes, dark, total, columns}, {}};
    });
}

TEST_F(UnusualPipelines, HaveOutputsThatReadEachOther) {
    expect_same_images([&]() -> ImagePipeline {
        const Func in = image();
        Func first("first"), second("second"), third("third");
        first(x, y) = in(x, y) * 2;
        second(x, y) = first(x, y) + in(x, y + 1);
        third(x, y) = second(x, y) * first(x, y);
        return {{third, second, first}, {}};
    });
}

TEST_F(UnusualPipelines, HaveSinglePlaces) {
    expect_same_images([&]() -> ImagePipeline {
        Func one("one"), two("two"), out("out");
        const Func in = image();
        const RDom all(0, kColumns, 0, kRows);
        one() = Halide::maximum(in(all.x, all.y), "most");
        two() = one() * 2;
        out() = two() + one();
        return {{out}, {}};
    });
}

TEST_F(UnusualPipelines, HaveMaskTypes) {
    expect_same_images([&]() -> ImagePipeline {
        const Func in = image();
        Func bright("bright"), grown("grown"), out("out");
        bright(x, y) = in(x, y) > 120;
        grown(x, y) = bright(x - 1, y) || bright(x + 1, y) || bright(x, y - 1);
        const RDom r(0, 5);
        Func any("any");
        any(x, y) = cast<bool>(false);
        any(x, y) = any(x, y) || grown(x, y + 2 * r);
        out(x, y) = select(any(x, y), cast<uint8_t>(255), cast<uint8_t>(in(x, y)));
        return {{out}, {}};
    });
}

TEST_F(UnusualPipelines, HaveBoundsAndSpecialisationsOfTheirOwn) {
    Halide::Param<int> radius("radius");
    radius.set(1);
    expect_same_images([&]() -> ImagePipeline {
        const Func in = image();
        Func sums("sums"), table("table"), out("out");
        sums(x, y) = in(x - radius, y) + in(x + radius, y);
        sums.specialize(radius == 1);
        table(i) = i * 3;
        table.bound(i, 0, 256);
        out(x, y) = table(clamp(sums(x, y), 0, 255)) + sums(x, y + 1);
        return {{out}, {}};
    });
}

// What only the value reads that nobody reads would be computed for nobody.
TEST_F(UnusualPipelines, ReadTuplesInPart) {
    expect_same_images([&]() -> ImagePipeline {
        const Func in = image();
        Func first("first"), second("second"), pair("pair"), out("out");
        const RDom r(0, 5);
        first(x, y) = in(x, y);
        first(x, y) += first(x, y) / 2;
        second(x, y) = 0;
        second(x, y) += first(x + r, y);
        pair(x, y) = Tuple(in(x, y) + 1, second(x, y) + second(x + 1, y));
        out(x, y) = pair(x, y)[0] * 2 + first(x - 1, y);
        return {{out}, {}};
    });
}

TEST_F(UnusualPipelines, BranchOnTheAxisOfTheirVectors) {
    expect_same_images([&]() -> ImagePipeline {
        const Func in = image();
        Func channels("channels"), out("out");
        channels(c, x) = select(c == 0, in(x, 1), in(x, 2) * c);
        channels(c, x) += x;
        out(x, y) = channels(0, x) + channels(1, y) * channels(2, x);
        return {{out}, {}};
    });
}

// As in plans of networks: the loop nest is that of the sum, the stage's result is its reader.
TEST_F(UnusualPipelines, HaveSumsThatArePanelsOfAStageWithAnotherResult) {
    const MakeImages make = [&]() -> ImagePipeline {
        const Func in = image();
        Func sums("sums"), scaled("scaled"), out("out");
        const RDom r(0, 5);
        sums(x, y) = 0;
        sums(x, y) += in(x + r, y);
        scaled(x, y) = sums(x, y) * 2 + sums(x, y + 1);
        out(x, y) = scaled(x, y) + scaled(x + 1, y);
        return {{out}, {}};
    };
    const auto as_stages = [](const ImagePipeline &made, Plan &plan) {
        std::map<std::string, std::string> names;  // with what Halide adds to them
        for (const auto &[name, f] :
             Halide::Internal::find_transitive_calls(made.outputs[0].function())) {
            names[name.substr(0, name.find('$'))] = name;
        }
        const auto member = [](const std::string &name, Placement placement, int stage) {
            PlannedMember made_member{.op = name, .implementation = "func"};
            made_member.parts.push_back({"", placement});
            made_member.stage = stage;
            return made_member;
        };
        PlannedMember sums = member(names.at("sums"), Placement::Panel, 0);
        sums.nest = {"generic",
                     {{"column_axis", -1}, {"crossing_axis", -1}, {"tasks", 0}, {"vector", 8}}};
        PlannedMember scaled = member(names.at("scaled"), Placement::Whole, 0);
        scaled.order = {1, 0};
        PlannedMember out = member(made.outputs[0].name(), Placement::Root, 1);
        out.nest = {"generic",
                    {{"column_axis", -1}, {"crossing_axis", -1}, {"tasks", 0}, {"vector", 8}}};
        PlannedGroup group;
        group.members = {sums, scaled, out};
        plan = Plan();
        plan.groups = {group};
    };
    expect_equal_images(run_stored(make), run_planned(make, as_stages));
}

}  // namespace emulsion
