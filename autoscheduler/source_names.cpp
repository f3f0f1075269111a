#include "autoscheduler/source_names.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <iomanip>
#include <sstream>
#include <string_view>

namespace emulsion {

namespace {

// Names that mean something where a schedule is pasted: keywords of C++ that are plausible names of stages, and what
// surrounds the schedule.
constexpr auto kReserved = std::to_array<std::string_view>({
    "alignas",    "alignof",   "and",          "and_eq",        "asm",
    "auto",       "bitand",    "bitor",        "bool",          "break",
    "case",       "catch",     "char",         "char8_t",       "char16_t",
    "char32_t",   "class",     "compl",        "concept",       "const",
    "consteval",  "constexpr", "constinit",    "const_cast",    "continue",
    "co_await",   "co_return", "co_yield",     "decltype",      "default",
    "delete",     "do",        "double",       "dynamic_cast",  "else",
    "enum",       "explicit",  "export",       "extern",        "false",
    "float",      "for",       "friend",       "goto",          "if",
    "inline",     "int",       "long",         "mutable",       "namespace",
    "new",        "noexcept",  "not",          "not_eq",        "nullptr",
    "operator",   "or",        "or_eq",        "private",       "protected",
    "public",     "register",  "requires",     "return",        "short",
    "signed",     "sizeof",    "static",       "static_assert", "static_cast",
    "struct",     "switch",    "template",     "this",          "thread_local",
    "throw",      "true",      "try",          "typedef",       "typeid",
    "typename",   "union",     "unsigned",     "using",         "virtual",
    "void",       "volatile",  "wchar_t",      "while",         "xor",
    "xor_eq",     "pipeline",  "target",       "Func",          "Halide",
    "MemoryType", "RVar",      "TailStrategy", "Var",           "std",
    "linux",
});

// Without what Halide adds to a name that occurs again.
std::string without_counter(const std::string &name) {
    const size_t dollar = name.rfind('$');
    const bool counted = dollar != std::string::npos && dollar > 0 && dollar + 1 < name.size() &&
                         name.find_first_not_of("0123456789", dollar + 1) == std::string::npos;
    return counted ? name.substr(0, dollar) : name;
}

std::string identifier(const std::string &name) {
    std::string text = without_counter(name);
    std::replace_if(
        text.begin(), text.end(),
        [](char c) { return c != '_' && std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
    if (text.empty() || std::isdigit(static_cast<unsigned char>(text.front())) != 0) {
        text = "_" + text;
    }
    const bool reserved = std::find(kReserved.begin(), kReserved.end(), text) != kReserved.end();
    return reserved ? text + "_" : text;
}

}  // namespace

std::string last_part(const std::string &name) {
    const size_t dot = name.rfind('.');
    return dot == std::string::npos ? name : name.substr(dot + 1);
}

std::string SourceNames::fresh(const std::string &name) {
    const std::string base = identifier(name);
    std::string text = base;
    for (int i = 2; !taken_.insert(text).second; i++) {
        text = base + "_" + std::to_string(i);
    }
    return text;
}

std::string SourceNames::func(const std::string &name) {
    const auto known = funcs_.find(name);
    return known != funcs_.end() ? known->second : funcs_[name] = fresh(name);
}

void SourceNames::name_func(const std::string &name, const std::string &as) {
    funcs_.emplace(name, fresh(as));
}

std::string SourceNames::loop(const Loop &loop) {
    const auto known = loops_.find(loop);
    if (known != loops_.end()) {
        return known->second;
    }
    asked_.push_back(loop);
    return loops_[loop] = fresh(loop.name);
}

std::string SourceNames::var(const std::string &name) { return loop({last_part(name), false}); }

std::string SourceNames::rvar(const std::string &name) { return loop({last_part(name), true}); }

void SourceNames::offer_var(const std::string &name, const std::string &expression) {
    origins_.emplace(Loop{last_part(name), false}, expression);
}

void SourceNames::offer_rvar(const std::string &name, const std::string &expression) {
    origins_.emplace(Loop{last_part(name), true}, expression);
}

std::string SourceNames::loop_declarations() const {
    std::ostringstream text;
    for (const Loop &loop : asked_) {
        text << (loop.is_reduction ? "RVar " : "Var ") << loops_.at(loop) << "(";
        const auto origin = origins_.find(loop);
        if (origin != origins_.end()) {
            text << origin->second;
        } else {
            text << std::quoted(loop.name);
        }
        text << ");\n";
    }
    return text.str();
}

}  // namespace emulsion
