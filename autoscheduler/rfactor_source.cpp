#include "autoscheduler/rfactor_source.h"

#include <optional>
#include <sstream>

#include "autoscheduler/shared_sums.h"

namespace emulsion {

namespace {

using namespace Halide::Internal;

class RfactorSource {
public:
    RfactorSource(const Function &made, const Function &sum, const Function *folded,
                  SourceNames &names)
        : made_(made), sum_(sum), names_(names), parts_(sum.update(0).schedule().rvars()) {
        if (folded != nullptr && !parts_.empty()) {
            const auto few = as_const_int(parts_.front().extent);
            const auto steps = as_const_int(folded->update(0).schedule().rvars().front().extent);
            parts_ = {{kPartLoop, 0, static_cast<int>(*few * *steps)}};
        }
    }

    std::string text() {
        if (made_.update(0).schedule().rvars().empty() || parts_.empty()) {
            return "";
        }
        std::ostringstream out;
        out << "Func " << names_.func(made_.name()) << " = " << names_.func(sum_.name())
            << ".update(0)" << splits() << "\n    .rfactor(" << kept() << ");\n";
        return out.str();
    }

private:
    // A share is split off before lanes are.
    std::string splits() {
        std::string text;
        const auto &rvars = made_.update(0).schedule().rvars();
        for (size_t i = 0; i < rvars.size(); i++) {
            std::string loop = rvars[i].var, lanes;
            std::optional<int64_t> length = as_const_int(rvars[i].extent);
            const std::string which = part(kFewLoop) ? kFewLoop : kPartLoop;
            if (const auto steps_of = loop_of_steps(loop); steps_of && part(which)) {
                const auto extent = as_const_int(part(which)->extent);
                lanes = split(*steps_of, loop, which, *extent);
                length = length ? std::optional(*length * *extent) : std::nullopt;
                loop = *steps_of;
            }
            if (const auto rest_of = loop_of_rest(loop); rest_of && part(kShareLoop) && length) {
                text += split(*rest_of, kShareLoop, loop, *length);
                loop = *rest_of;
            }
            text += lanes;
            if (last_part(loop) != kPartLoop) {  // which an earlier directive makes
                names_.offer_rvar(loop, rvar_source(names_.func(sum_.name()), 0, i));
            }
        }
        return text;
    }

    std::string split(const std::string &loop, const std::string &outer, const std::string &inner,
                      int64_t factor) {
        return "\n    .split(" + names_.rvar(loop) + ", " + names_.rvar(outer) + ", " +
               names_.rvar(inner) + ", " + std::to_string(factor) + ")";
    }

    // A loop of the sum over its parts.
    const ReductionVariable *part(const std::string &name) const {
        for (const ReductionVariable &r : parts_) {
            if (last_part(r.var) == name) {
                return &r;
            }
        }
        return nullptr;
    }

    // Loops over the parts, and the axes that they become: the last ones of what was made.
    std::string kept() {
        std::string text;
        for (size_t i = 0; i < parts_.size(); i++) {
            const std::string &axis = made_.args()[sum_.args().size() + i];
            const std::string pair = names_.rvar(parts_[i].var) + ", " + names_.var(axis);
            text += parts_.size() == 1 ? pair : (i > 0 ? ", {" : "{{") + pair + "}";
        }
        return text + (parts_.size() == 1 ? "" : "}");
    }

    const Function &made_, &sum_;
    SourceNames &names_;
    std::vector<ReductionVariable> parts_;  // loops of the sum over its parts, when those were made
};

}  // namespace

std::string rfactor_source(const Function &made, const Function &sum, const Function *folded,
                           SourceNames &names) {
    return RfactorSource(made, sum, folded, names).text();
}

std::string rvar_source(const std::string &func, size_t update, size_t rvar) {
    return func + ".update(" + std::to_string(update) + ").get_schedule().rvars()[" +
           std::to_string(rvar) + "].var";
}

}  // namespace emulsion
