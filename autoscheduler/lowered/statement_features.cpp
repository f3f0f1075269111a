#include "autoscheduler/lowered/statement_features.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "autoscheduler/lowered/buffer_uses.h"
#include "autoscheduler/lowered/magnitude.h"

namespace emulsion {

using namespace Halide;
using namespace Halide::Internal;

namespace {

constexpr size_t kBuffers = 5, kSamples = 10;

// Where an annotated loop lies: among those that the result's index follows, or among the others, which are reductions.
enum Position {
    None,
    InnerSpatial,
    MiddleSpatial,
    OuterSpatial,
    InnerReduce,
    MiddleReduce,
    OuterReduce,
    Mixed
};
constexpr std::array kPositions{"none",         "inner spatial", "middle spatial", "outer spatial",
                                "inner reduce", "middle reduce", "outer reduce",   "mixed"};

class StatementRow {
public:
    explicit StatementRow(const LoweredStatement &statement)
        : statement_(statement), uses_(statement) {}

    std::vector<float> run() {
        add_operations();
        add_annotations();
        add_buffers();
        add_intensity();
        add_allocation();
        const double outer = passes_of(statement_.loops, statement_.loops.size());
        row_.push_back(magnitude(outer));
        row_.push_back(magnitude(static_cast<double>(statement_.loops.size())));
        row_.push_back(magnitude(statement_.stores));
        return std::move(row_);
    }

private:
    void add_operations() {
        const double passes = passes_of(statement_.loops, statement_.loops.size());
        for (const OperationCounts *counts : {&statement_.floats, &statement_.integers}) {
            for (const double count :
                 {counts->multiply_adds, counts->add_subs, counts->multiplies, counts->divides,
                  counts->compares, counts->math_calls, counts->other_calls}) {
                row_.push_back(magnitude(std::max(count, 0.0) * passes));
            }
        }
        row_.push_back(magnitude(statement_.booleans * passes));
        row_.push_back(magnitude(statement_.selects * passes));
    }

    Position position_of(const std::vector<size_t> &annotated) const {
        if (annotated.empty()) {
            return None;
        }
        if (annotated.size() > 1) {
            return Mixed;
        }
        const bool spatial = uses_.is_spatial(annotated.front());
        bool inside = false, outside = false;
        for (size_t loop = 0; loop < statement_.loops.size(); loop++) {
            if (loop != annotated.front() && uses_.is_spatial(loop) == spatial) {
                (loop > annotated.front() ? inside : outside) = true;
            }
        }
        const int place = !inside ? 0 : outside ? 1 : 2;
        return static_cast<Position>((spatial ? InnerSpatial : InnerReduce) + place);
    }

    void add_annotation(double count, double product, double innermost, Position position) {
        row_.push_back(magnitude(count));
        row_.push_back(magnitude(product));
        row_.push_back(magnitude(innermost));
        for (size_t i = 0; i < kPositions.size(); i++) {
            row_.push_back(position == static_cast<Position>(i) ? 1.0F : 0.0F);
        }
    }

    void add_annotations() {
        // Vectors and unrolled loops are gone from the loops: they are in the lanes and in the stores.
        const int lanes = statement_.lanes, copies = statement_.stores;
        add_annotation(lanes > 1 ? 1.0 : 0.0, lanes, lanes, lanes > 1 ? InnerSpatial : None);
        add_annotation(copies > 1 ? 1.0 : 0.0, copies, copies, copies > 1 ? InnerSpatial : None);
        std::vector<size_t> parallel;
        double product = 1.0, workgroups = 1.0, threads = 1.0;
        for (size_t i = 0; i < statement_.loops.size(); i++) {
            const auto extent = static_cast<double>(statement_.loops[i].extent);
            switch (statement_.loops[i].kind) {
            case LoweredLoop::Kind::Parallel:
                parallel.push_back(i);
                product *= extent;
                break;
            case LoweredLoop::Kind::Workgroup: workgroups *= extent; break;
            case LoweredLoop::Kind::Thread: threads *= extent; break;
            case LoweredLoop::Kind::Serial: break;
            }
        }
        add_annotation(
            static_cast<double>(parallel.size()), parallel.empty() ? 0.0 : product,
            parallel.empty() ? 0.0 : static_cast<double>(statement_.loops[parallel.back()].extent),
            position_of(parallel));
        const bool on_gpu = workgroups > 1.0 || threads > 1.0;
        row_.push_back(on_gpu ? 1.0F : 0.0F);
        row_.push_back(magnitude(on_gpu ? workgroups : 0.0));
        row_.push_back(magnitude(on_gpu ? threads : 0.0));
        row_.insert(row_.end(), 5, 0.0F);  // Halide has merged them
    }

    void add_buffers() {
        std::vector<BufferUse> uses;
        for (size_t i = 0; i < uses_.buffers(); i++) {
            uses.push_back(uses_.of(i));
        }
        std::stable_sort(uses.begin(), uses.end(),
                         [](const BufferUse &a, const BufferUse &b) { return a.lines > b.lines; });
        uses.resize(std::min(uses.size(), kBuffers));
        for (const BufferUse &use : uses) {
            add(use);
        }
        row_.insert(row_.end(), (kBuffers - uses.size()) * kOfBuffer, 0.0F);
    }

    static constexpr size_t kOfBuffer = 18;

    void add(const BufferUse &use) {
        row_.push_back(use.reads && !use.writes ? 1.0F : 0.0F);
        row_.push_back(!use.reads && use.writes ? 1.0F : 0.0F);
        row_.push_back(use.reads && use.writes ? 1.0F : 0.0F);
        for (const double value : {use.bytes, use.unique_bytes, use.lines, use.unique_lines}) {
            row_.push_back(magnitude(value));
        }
        for (int kind = 0; kind < 3; kind++) {
            row_.push_back(use.reuse == kind ? 1.0F : 0.0F);
        }
        for (const double value :
             {use.reuse_iterations, use.reuse_bytes, use.reuse_count, use.bytes / use.reuse_count,
              use.unique_bytes / use.reuse_count, use.lines / use.reuse_count,
              use.unique_lines / use.reuse_count, use.stride}) {
            row_.push_back(magnitude(value));
        }
    }

    // Operations for a byte that the innermost loops touch, at ten places between one pass and all of them.
    void add_intensity() {
        const size_t depth = statement_.loops.size();
        const OperationCounts &f = statement_.floats;
        const double operations = 2.0 * f.multiply_adds + f.add_subs + std::max(f.multiplies, 0.0) +
                                  f.divides + f.compares + f.math_calls + f.other_calls;
        std::vector<double> at, intensity;
        for (size_t inner = 0; inner <= depth; inner++) {
            double bytes = 0.0;
            for (size_t buffer = 0; buffer < uses_.buffers(); buffer++) {
                bytes += uses_.unique_bytes(buffer, inner);
            }
            const double passes = passes_of(statement_.loops, inner);
            at.push_back(std::log2(passes));
            intensity.push_back(operations * passes / std::max(bytes, 1.0));
        }
        for (size_t sample = 0; sample < kSamples; sample++) {
            const double place = at.back() * static_cast<double>(sample) / (kSamples - 1);
            const auto behind = std::lower_bound(at.begin(), at.end(), place);
            const auto i = static_cast<size_t>(behind - at.begin());
            if (i == 0 || behind == at.end() || at[i] == at[i - 1]) {
                row_.push_back(magnitude(intensity[std::min(i, intensity.size() - 1)]));
                continue;
            }
            const double share = (place - at[i - 1]) / (at[i] - at[i - 1]);
            row_.push_back(magnitude(intensity[i - 1] + share * (intensity[i] - intensity[i - 1])));
        }
    }

    void add_allocation() {
        const size_t depth = statement_.loops.size();
        const bool has = statement_.allocated_bytes > 0.0;
        const size_t inside = has ? depth - std::min(statement_.allocated_in, depth) : 0;
        const double inner = passes_of(statement_.loops, inside);
        const double outer = passes_of(statement_.loops, depth) / inner;
        row_.push_back(magnitude(statement_.allocated_bytes));
        row_.push_back(magnitude(has ? statement_.allocated_bytes * outer : 0.0));
        row_.push_back(magnitude(has ? outer : 0.0));
        row_.push_back(magnitude(has ? inner : 0.0));
    }

    const LoweredStatement &statement_;
    const BufferUses uses_;
    std::vector<float> row_;
};

std::vector<std::string> make_names() {
    std::vector<std::string> names;
    for (const char *type : {"float", "int"}) {
        for (const char *operation :
             {"multiply-add", "add", "multiply", "divide", "compare", "math", "other"}) {
            names.push_back(std::string(type) + " " + operation);
        }
    }
    names.insert(names.end(), {"bool", "select"});
    for (const char *annotation : {"vector", "unroll", "parallel"}) {
        for (const char *what : {"loops", "product", "innermost"}) {
            names.push_back(std::string(annotation) + " " + what);
        }
        for (const char *position : kPositions) {
            names.push_back(std::string(annotation) + " " + position);
        }
    }
    names.insert(names.end(), {"gpu", "gpu workgroups", "gpu threads", "gpu block y", "gpu block z",
                               "gpu thread y", "gpu thread z", "gpu virtual threads"});
    for (size_t buffer = 0; buffer < kBuffers; buffer++) {
        for (const char *what :
             {"read", "write", "read and write", "bytes", "unique bytes", "lines", "unique lines",
              "reused by loop", "reused in pass", "not reused", "reuse iterations", "reuse bytes",
              "reuse count", "bytes by reuse", "unique bytes by reuse", "lines by reuse",
              "unique lines by reuse", "stride"}) {
            names.push_back("buffer" + std::to_string(buffer) + " " + what);
        }
    }
    for (size_t sample = 0; sample < kSamples; sample++) {
        names.push_back("intensity" + std::to_string(sample));
    }
    names.insert(names.end(), {"allocated bytes", "allocated product", "allocated outer",
                               "allocated inner", "outer product", "loops", "stores"});
    return names;
}

}  // namespace

const std::vector<std::string> &statement_feature_names() {
    static const std::vector<std::string> names = make_names();
    return names;
}

std::vector<std::vector<float>> statement_features(const Stmt &statement) {
    std::vector<std::vector<float>> rows;
    for (const LoweredStatement &each : lowered_statements(statement)) {
        rows.push_back(StatementRow(each).run());
    }
    return rows;
}

}  // namespace emulsion
