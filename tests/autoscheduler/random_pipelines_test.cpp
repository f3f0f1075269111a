// Random pipelines of integers, made of what Halide's language has: whatever it is, it is planned, and computes
// bit for bit what it computes with every Func stored.
#include <gtest/gtest.h>

#include <random>

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

// Equal seeds make equal pipelines.
class RandomPipeline {
public:
    explicit RandomPipeline(unsigned seed) : random_(seed) {}

    ImagePipeline make() {
        images_.push_back(Halide::BoundaryConditions::repeat_edge(image_of_numbers()));
        const int count = 3 + below(5);
        for (int i = 0; i < count; i++) {
            images_.push_back(next());
        }
        ImagePipeline made;
        Func out("out");
        out(x_, y_) = images_.back()(x_, y_) + any()(x_, y_);
        made.outputs.push_back(out);
        if (below(3) == 0) {
            Func other("other");
            other(x_, y_) = cast<uint8_t>(any()(x_, y_));
            made.outputs.push_back(other);
        }
        if (below(4) == 0) {
            made.outputs.push_back(total(any()));
        }
        made.unbounded = unbounded_;
        return made;
    }

private:
    int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }

    // Recent ones are likelier, so that pipelines are deep.
    const Func &any() {
        const size_t back = 1 + static_cast<size_t>(below(3));
        return images_[images_.size() - std::min(back, images_.size())];
    }

    Func next() {
        switch (below(12)) {
        case 0: return stencil();
        case 1: return scaled();
        case 2: return windows();
        case 3: return scan();
        case 4: return histogram();
        case 5: return shifted();
        case 6: return far();
        case 7: return pairs();
        case 8: return masked();
        case 9: return compared_with_total();
        case 10: return patched();
        default: return pointwise();
        }
    }

    // Numbers of a few bits, so that nothing overflows.
    static Expr small(const Expr &value) { return value & 255; }

    Func pointwise() {
        Func f("pointwise");
        f(x_, y_) = small(any()(x_, y_) * (2 + below(5)) - any()(x_, y_) + x_ * below(3) + y_);
        return f;
    }

    Func stencil() {
        Func f("stencil");
        Expr sum = any()(x_, y_);
        const Func &source = any();
        for (int tap = 1 + below(3); tap > 0; tap--) {
            sum += source(x_ + below(7) - 3, y_ + below(7) - 3) * tap;
        }
        f(x_, y_) = small(sum);
        return f;
    }

    Func scaled() {
        Func f("scaled");
        const Func &source = any();
        const int scale = 2 + below(2);
        f(x_, y_) = below(2) == 0 ? source(x_ / scale, y_ / scale + x_ % scale)
                                  : source(clamp(x_ * scale, 0, 200), clamp(y_ * scale, -5, 200));
        return f;
    }

    Func windows() {
        Func f("windows");
        const Func &source = any();
        RDom r(-below(4), 1 + below(6), -below(3), 1 + below(4));
        if (below(2) == 0) {
            r.where(r.x + r.y < 3);
        }
        if (below(3) == 0) {
            r.where(source(x_, y_) > 90);
        }
        f(x_, y_) = 0;
        const Expr value = source(x_ + r.x, y_ + r.y);
        if (below(2) == 0) {
            f(x_, y_) += value;
        } else {
            f(x_, y_) = max(f(x_, y_), value);
        }
        return f;
    }

    Func scan() {
        Func f("scan");
        f(x_, y_) = any()(x_, y_);
        const RDom r(1, 40);
        if (below(2) == 0) {
            f(r, y_) = small(f(r, y_) + f(r - 1, y_));
        } else {
            f(x_, r) = small(f(x_, r) * 3 + f(x_, r - 1));
        }
        return f;
    }

    Func histogram() {
        const Func &source = any();
        Func counts("counts"), f("looked_up");
        const RDom r(0, 30, 0, 20);
        counts(i_) = i_;
        counts(clamp(source(r.x, r.y), 0, 255)) += r.x;
        const Func &places = any();
        f(x_, y_) = small(below(2) == 0 ? counts(clamp(places(x_, y_), 0, 255))
                                        : counts(cast<int>(cast<uint8_t>(places(x_, y_)))));
        return f;
    }

    Func shifted() {
        Func f("shifted");
        const Func &source = any();
        const Func &shift = any();
        const int most = 1 + below(9);
        f(x_, y_) =
            source(x_ + clamp(shift(x_, y_) - 99, -most, most), y_ + small(shift(y_, x_)) % 4);
        return f;
    }

    Func far() {
        Func warped("warped"), f("far");
        warped(x_, y_) = any()(clamp(x_, 0, 90), clamp(y_, 0, 70)) + (x_ & 15);
        unbounded_.push_back(warped);
        const Func &place = any();
        f(x_, y_) = small(warped(x_ + place(x_, y_) * place(x_ + 1, y_), y_));
        return f;
    }

    Func pairs() {
        Func pair("pair"), f("paired");
        pair(x_, y_) = Tuple(any()(x_, y_), cast<int16_t>(any()(x_ + 1, y_)));
        if (below(2) == 0) {
            const RDom r(0, 1 + below(4));
            const Func &source = any();
            pair(x_, y_) = Tuple(pair(x_, y_)[0] + source(x_, y_ + r),
                                 pair(x_, y_)[1] ^ cast<int16_t>(pair(x_, y_)[0]));
        }
        f(x_, y_) = small(pair(x_, y_)[0] - pair(x_ - below(2), y_)[1]);
        return f;
    }

    Func masked() {
        Func mask("mask"), f("masked");
        mask(x_, y_) = any()(x_, y_) > any()(x_, y_ + 1);
        f(x_, y_) = select(mask(x_, y_) && !mask(x_ + 1, y_), any()(x_, y_), x_ + y_);
        return f;
    }

    Func total(const Func &source) {
        Func sum("total");
        const RDom r(0, 50, 0, 40);
        sum() = 0;
        sum() += source(r.x, r.y);
        return sum;
    }

    Func compared_with_total() {
        Func f("compared");
        const Func sum = total(any());
        f(x_, y_) = small(any()(x_, y_) + sum() / 1000);
        return f;
    }

    // Updates of single rows, columns and places.
    Func patched() {
        Func f("patched");
        f(x_, y_) = any()(x_, y_);
        f(x_, 3) = x_;
        f(5, y_) = f(5, y_) + f(6, y_);
        const RDom r(0, 12);
        f(clamp(any()(r, 0), 0, 30), clamp(any()(1, r), 0, 30)) = r * 2;
        return f;
    }

    std::mt19937 random_;
    std::vector<Func> images_, unbounded_;
    const Var x_{"x"}, y_{"y"}, i_{"i"};
};

void expect_same_for_seeds(unsigned first, unsigned count) {
    for (unsigned seed = first; seed < first + count; seed++) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        expect_same_images([&] { return RandomPipeline(seed).make(); });
    }
}

}  // namespace

TEST(RandomPipelines, ComputeTheSameWhenPlanned) { expect_same_for_seeds(1, 10); }

TEST(SlowRandomPipelines, ComputeTheSameWhenPlanned) { expect_same_for_seeds(100, 100); }

}  // namespace emulsion
