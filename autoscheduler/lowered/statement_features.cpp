#include "autoscheduler/lowered/statement_features.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <sstream>

#include "autoscheduler/lowered/statements.h"

namespace emulsion {

using namespace Halide;
using namespace Halide::Internal;

namespace {

constexpr size_t kBuffers = 5, kSamples = 10;
constexpr double kLineBytes = 64.0;

float magnitude(double value) {
    return static_cast<float>(std::copysign(std::log2(std::fabs(value) + 1.0), value));
}

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

// How far an index moves from one pass of a loop to the next; 0 where it does not, or where nobody knows.
double step_of(const Expr &index, const std::string &loop) {
    Expr first = index;
    if (const auto *ramp = index.as<Ramp>()) {
        first = ramp->base;
    } else if (const auto *broadcast = index.as<Broadcast>()) {
        first = broadcast->value;
    }
    if (!expr_uses_var(first, loop)) {
        return 0.0;
    }
    const Expr next = substitute(loop, Variable::make(Int(32), loop) + 1, first);
    const auto step = as_const_int(simplify(next - first));
    return step ? static_cast<double>(*step) : 1.0;
}

// What a statement does with one buffer.
struct BufferUse {
    bool reads = false, writes = false;
    double bytes = 0.0, unique_bytes = 0.0, lines = 0.0, unique_lines = 0.0;
    int reuse = 2;  // 0: by a loop; 1: by several accesses of a pass; 2: none
    double reuse_iterations = 0.0, reuse_bytes = 0.0, reuse_count = 1.0;
    double stride = 0.0;
};

// Of the innermost `depth` loops, passes.
double passes_of(const std::vector<LoweredLoop> &loops, size_t depth) {
    double passes = 1.0;
    for (size_t i = loops.size() - depth; i < loops.size(); i++) {
        passes *= static_cast<double>(loops[i].extent);
    }
    return passes;
}

class StatementRow {
public:
    explicit StatementRow(const LoweredStatement &statement) : statement_(statement) {
        for (const auto &[name, access] : statement.accesses) {
            steps_.push_back(steps_of(access));
            distinct_.push_back(distinct_share(access));
            accesses_.push_back(&access);
        }
    }

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
    // By loop, the longest step of its indices.
    std::vector<double> steps_of(const LoweredAccess &access) const {
        std::vector<double> steps;
        for (const LoweredLoop &loop : statement_.loops) {
            double longest = 0.0;
            for (const Expr &index : access.indices) {
                const double step = step_of(index, loop.name);
                longest = std::fabs(step) > std::fabs(longest) ? step : longest;
            }
            steps.push_back(longest);
        }
        return steps;
    }

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

    bool is_spatial(size_t loop) const {
        size_t at = 0;
        for (const auto &[name, access] : statement_.accesses) {
            if (name == statement_.buffer) {
                return steps_[at][loop] != 0.0;
            }
            at++;
        }
        return true;
    }

    Position position_of(const std::vector<size_t> &annotated) const {
        if (annotated.empty()) {
            return None;
        }
        if (annotated.size() > 1) {
            return Mixed;
        }
        const bool spatial = is_spatial(annotated.front());
        bool inside = false, outside = false;
        for (size_t loop = 0; loop < statement_.loops.size(); loop++) {
            if (loop != annotated.front() && is_spatial(loop) == spatial) {
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

    // Of the indices that are known, how many differ.
    static double distinct_share(const LoweredAccess &access) {
        std::set<std::string> distinct;
        for (const Expr &index : access.indices) {
            std::ostringstream text;
            text << index;
            distinct.insert(text.str());
        }
        return static_cast<double>(std::max<size_t>(distinct.size(), 1)) /
               static_cast<double>(std::max<size_t>(access.indices.size(), 1));
    }

    // Bytes of one buffer that the innermost `depth` loops touch, each once.
    double unique_bytes(size_t access, size_t depth) const {
        const LoweredAccess &of = *accesses_[access];
        double elements = distinct_[access] * of.times * of.lanes;
        for (size_t i = statement_.loops.size() - depth; i < statement_.loops.size(); i++) {
            if (steps_[access][i] != 0.0) {
                elements *= static_cast<double>(statement_.loops[i].extent);
            }
        }
        return elements * of.bytes;
    }

    BufferUse use_of(size_t access) const {
        const LoweredAccess &of = *accesses_[access];
        const size_t depth = statement_.loops.size();
        BufferUse use{of.reads, of.writes};
        const double passes = passes_of(statement_.loops, depth);
        use.bytes = passes * of.times * of.lanes * of.bytes;
        use.unique_bytes = unique_bytes(access, depth);
        use.stride = stride_of(access);
        const double per_line = std::clamp(
            kLineBytes / std::max(std::fabs(use.stride) * of.bytes, 1.0), 1.0, kLineBytes);
        use.lines = use.bytes / of.bytes / per_line;
        use.unique_lines = use.unique_bytes / of.bytes / per_line;
        // The innermost loop that it does not follow reads the same again.
        for (size_t i = depth; i-- > 0;) {
            const double extent = static_cast<double>(statement_.loops[i].extent);
            if (steps_[access][i] == 0.0 && extent > 1.0) {
                use.reuse = 0;
                use.reuse_iterations = passes_of(statement_.loops, depth - 1 - i);
                for (size_t other = 0; other < accesses_.size(); other++) {
                    use.reuse_bytes += unique_bytes(other, depth - 1 - i);
                }
                use.reuse_count = extent;
                return use;
            }
        }
        if (of.times > 1 && use.unique_bytes < use.bytes) {
            use.reuse = 1;
            use.reuse_iterations = 1.0;
            use.reuse_bytes = of.times * of.lanes * of.bytes;
            use.reuse_count = use.bytes / std::max(use.unique_bytes, 1.0);
        }
        return use;
    }

    // Of its vectors, or of the innermost loop that it follows.
    double stride_of(size_t access) const {
        for (const Expr &index : accesses_[access]->indices) {
            if (const auto *ramp = index.as<Ramp>()) {
                const auto stride = as_const_int(ramp->stride);
                return stride ? static_cast<double>(*stride) : kLineBytes;
            }
        }
        for (size_t i = statement_.loops.size(); i-- > 0;) {
            if (steps_[access][i] != 0.0) {
                return steps_[access][i];
            }
        }
        return 0.0;
    }

    void add_buffers() {
        std::vector<BufferUse> uses;
        for (size_t i = 0; i < accesses_.size(); i++) {
            uses.push_back(use_of(i));
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
            for (size_t access = 0; access < accesses_.size(); access++) {
                bytes += unique_bytes(access, inner);
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
    std::vector<const LoweredAccess *> accesses_;
    std::vector<std::vector<double>> steps_;  // by access, by loop
    std::vector<double> distinct_;            // by access
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
