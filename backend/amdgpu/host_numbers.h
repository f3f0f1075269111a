// Numbers that the code on the host computes before it launches a kernel: the LDS of workgroups that need more
// of it at some places than at others is the largest of what each needs, found by a loop over all of them.
#pragma once

#include <Halide.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace emulsion {

// Carries out what leads to such numbers, as far as it is made of constants.
class HostNumbers {
public:
    // Nothing where it depends on more than constants and what was set or carried out before.
    std::optional<int64_t> value(const Halide::Expr &e) const;

    void set(const std::string &name, std::optional<int64_t> number);

    // Memory of the host; what is in it is unknown, and known no longer once it has been freed.
    void allocate(const std::string &name);
    void free(const std::string &name);
    bool has(const std::string &name) const { return memory_.count(name) != 0; }

    // Stores, and the loops and definitions around them. What a statement stores that can't be carried out is
    // unknown.
    void carry_out(const Halide::Internal::Stmt &statement);

private:
    bool try_to(const Halide::Internal::Stmt &statement, int64_t *steps);

    std::map<std::string, int64_t> numbers_;
    std::map<std::string, std::map<int64_t, int64_t>> memory_;  // elements by index
};

}  // namespace emulsion
