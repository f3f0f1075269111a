#include "backend/amdgpu/kernel_source.h"

#include <algorithm>
#include <cctype>
#include <vector>

#include <fmt/format.h>

#include "fusion/error.h"
#include "fusion/gpu.h"

namespace emulsion {

namespace {

constexpr std::string_view kTextStart = "/*OpenCL C";
constexpr std::string_view kKernel = "__kernel ";
constexpr std::string_view kEmptyKernel = "__kernel void _at_least_one_kernel(int x) { }\n";
// Contraction is a matter of the command line. The pragma would take it back to within an expression,
// and each of Halide's expressions is one operation.
constexpr std::string_view kPragma = "#pragma OPENCL FP_CONTRACT ON\n";
// What a local array is aligned to: the widest access of a lane to LDS.
constexpr int kLdsAlignment = 16;

[[noreturn]] void fail(std::string_view kernel, std::string_view what) {
    throw failure(fmt::format("kernel '{}' in Halide's OpenCL text {}", kernel, what));
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::string_view trim(std::string_view text) {
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())) != 0) {
        text.remove_prefix(1);
    }
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0) {
        text.remove_suffix(1);
    }
    return text;
}

bool skip(std::string_view *text, std::string_view word) {
    const bool there = text->starts_with(word);
    text->remove_prefix(there ? word.size() : 0);
    return there;
}

std::string_view take_word(std::string_view *text) {
    const auto end = std::find_if_not(text->begin(), text->end(), is_word);
    const std::string_view word = text->substr(0, static_cast<size_t>(end - text->begin()));
    text->remove_prefix(word.size());
    return word;
}

// A parameter is one of
//     __address_space_NAME [const] TYPE *restrict NAME
//     const TYPE NAME
bool is_argument(std::string_view parameter) {
    const bool buffer = skip(&parameter, "__address_space_");
    if (buffer && (take_word(&parameter).empty() || !skip(&parameter, " "))) {
        return false;
    }
    const bool constant = skip(&parameter, "const ");
    const bool typed = !take_word(&parameter).empty() && skip(&parameter, " ");
    const bool complete = buffer ? skip(&parameter, "*restrict ") : constant;
    return typed && complete && !take_word(&parameter).empty() && parameter.empty();
}

// `__local int16* NAME` gives NAME, anything else "".
std::string_view local_name(std::string_view parameter) {
    if (!skip(&parameter, "__local int16* ")) {
        return {};
    }
    const std::string_view name = take_word(&parameter);
    return parameter.empty() ? name : std::string_view();
}

std::string attribute(const KernelShape &shape) {
    if (shape.block) {
        return fmt::format("__attribute__((reqd_work_group_size({}, {}, {}))) ", (*shape.block)[0],
                           (*shape.block)[1], (*shape.block)[2]);
    }
    return fmt::format("__attribute__((amdgpu_flat_work_group_size(1, {}))) ",
                       kMostWorkgroupThreads);
}

std::string declaration(const KernelShape &shape, std::string_view name) {
    if (!shape.lds_bytes) {
        return fmt::format(" __local uchar *{} = emulsion_dynamic_lds();\n", name);
    }
    return *shape.lds_bytes == 0
               ? std::string()
               : fmt::format(" __local uchar {}[{}] __attribute__((aligned({})));\n", name,
                             *shape.lds_bytes, kLdsAlignment);
}

// Text of one kernel, taken apart.
struct Kernel {
    std::string_view attribute;  // ours, if it was rewritten before
    std::string_view name;
    std::vector<std::string_view> parameters;
    std::string_view body;  // behind `{` and its newline, up to the `}` in the first column
};

Kernel take_kernel(std::string_view *text) {
    const std::string_view whole = *text;
    Kernel kernel;
    skip(text, kKernel);
    if (text->starts_with("__attribute__((")) {
        const size_t end = text->find(") ");
        kernel.attribute = text->substr(0, end == std::string_view::npos ? 0 : end + 2);
        text->remove_prefix(kernel.attribute.size());
    }
    const bool returns_nothing = skip(text, "void ");
    kernel.name = take_word(text);
    if (!returns_nothing || kernel.name.empty() || !skip(text, "(\n")) {
        fail(kernel.name, fmt::format("doesn't begin with '__kernel void NAME(' but with '{}'",
                                      whole.substr(0, whole.find('\n'))));
    }
    const size_t close = text->find(")\n{\n");
    const size_t end = text->find(fmt::format("\n}} // kernel {}\n", kernel.name));
    if (close == std::string_view::npos || end == std::string_view::npos || end < close) {
        fail(kernel.name,
             fmt::format("has no body between '{{' and '}} // kernel {}'", kernel.name));
    }
    std::string_view list = text->substr(0, close);
    while (!trim(list).empty()) {
        const size_t comma = std::min(list.find(','), list.size());
        // Halide writes a comma before the local memory of a kernel that has no argument.
        if (!trim(list.substr(0, comma)).empty() || !kernel.parameters.empty()) {
            kernel.parameters.push_back(trim(list.substr(0, comma)));
        }
        list.remove_prefix(std::min(comma + 1, list.size()));
    }
    const size_t start = close + 4;
    kernel.body = text->substr(std::min(start, end + 1), end + 1 - std::min(start, end + 1));
    text->remove_prefix(end + 1);
    return kernel;
}

// Local memory is bytes now: every use has to say of what type, as `(__local TYPE *)NAME` does.
void check_uses(const Kernel &kernel, std::string_view name, bool there) {
    for (std::string_view body = kernel.body; !body.empty();) {
        const std::string_view line = body.substr(0, body.find('\n'));
        body.remove_prefix(std::min(line.size() + 1, body.size()));
        if (trim(line).starts_with("//")) {
            continue;
        }
        for (size_t at = line.find(name); at != std::string_view::npos;
             at = line.find(name, at + name.size())) {
            const size_t behind = at + name.size();
            if ((at > 0 && is_word(line[at - 1])) ||
                (behind < line.size() && is_word(line[behind]))) {
                continue;  // a part of another name
            }
            if (!there) {
                fail(kernel.name,
                     fmt::format("uses '{}', but its launch gives it no local memory", name));
            }
            if (at == 0 || line[at - 1] != ')') {
                fail(kernel.name, fmt::format("uses the local memory '{}' without a cast where one "
                                              "was expected: '{}'",
                                              name, trim(line)));
            }
        }
    }
}

// The body, in which the indices of a thread along the second and third axis say how many threads the workgroup has
// along the axes before.
std::string with_thread_ids(std::string_view body, const KernelShape &shape) {
    std::string text(body);
    if (shape.block) {
        int before = 1;
        for (const int axis : {1, 2}) {
            before *= (*shape.block)[static_cast<size_t>(axis) - 1];
            const std::string id = fmt::format(" = get_local_id({});\n", axis);
            if (const size_t at = text.find(id); at != std::string::npos) {
                text.replace(at, id.size(),
                             fmt::format(" = emulsion_thread_id({}, {});\n", axis, before));
            }
        }
    }
    return text;
}

std::string rewritten(const Kernel &kernel, const KernelShape &shape) {
    std::vector<std::string_view> parameters = kernel.parameters;
    std::string_view name;
    if (kernel.attribute.empty()) {
        name = parameters.empty() ? std::string_view() : local_name(parameters.back());
        if (name.empty()) {
            fail(kernel.name, "was expected to have '__local int16* NAME' as its last parameter");
        }
        parameters.pop_back();
        check_uses(kernel, name, shape.lds_bytes != 0);
    }
    for (const std::string_view parameter : parameters) {
        if (!is_argument(parameter)) {
            fail(kernel.name,
                 fmt::format("has the parameter '{}'; expected were '__address_space_NAME TYPE "
                             "*restrict NAME' and 'const TYPE NAME'",
                             parameter));
        }
    }
    std::string body(kernel.body);
    if (kernel.attribute.empty()) {
        body = declaration(shape, name) + with_thread_ids(body, shape);
    } else {
        const bool has = body.starts_with(" __local uchar ");
        std::string_view rest = std::string_view(body).substr(has ? 15 : 0);
        skip(&rest, "*");
        if (kernel.attribute != attribute(shape) || has == (shape.lds_bytes == 0) ||
            (has && !body.starts_with(declaration(shape, take_word(&rest))))) {
            fail(kernel.name, "was rewritten before, for another launch");
        }
    }
    std::string text = fmt::format("{}{}void {}(\n", kKernel, attribute(shape), kernel.name);
    for (size_t i = 0; i < parameters.size(); i++) {
        text += fmt::format(" {}{}", parameters[i], i + 1 < parameters.size() ? ",\n" : "");
    }
    return text + ")\n{\n" + body;
}

}  // namespace

std::string rewrite_kernels(std::string_view text, std::span<const KernelShape> shapes) {
    while (text.ends_with('\0')) {
        text.remove_suffix(1);
    }
    if (!text.starts_with(kTextStart)) {
        throw failure(fmt::format("the device code was expected to be OpenCL C of Halide's, which "
                                  "begins with '{}'",
                                  kTextStart));
    }
    std::string result;
    std::vector<std::string_view> seen;
    while (!text.empty()) {
        if (skip(&text, kEmptyKernel) || skip(&text, kPragma)) {
            continue;
        }
        if (text.starts_with(kKernel)) {
            const Kernel kernel = take_kernel(&text);
            const auto shape = std::find_if(shapes.begin(), shapes.end(),
                                            [&](const auto &s) { return s.kernel == kernel.name; });
            if (shape == shapes.end()) {
                fail(kernel.name, "is never launched");
            }
            if (std::find(seen.begin(), seen.end(), kernel.name) != seen.end()) {
                fail(kernel.name, "is there twice");
            }
            seen.push_back(kernel.name);
            result += rewritten(kernel, *shape);
            continue;
        }
        // A C99 inline function has no definition of its own: one that isn't inlined would be missing.
        result += text.starts_with("inline ") ? "static " : "";
        const size_t line = std::min(text.find('\n'), text.size() - 1) + 1;
        result += text.substr(0, line);
        text.remove_prefix(line);
    }
    if (seen.empty()) {
        throw failure("the OpenCL text was expected to hold a kernel, but there is none");
    }
    for (const KernelShape &shape : shapes) {
        if (std::find(seen.begin(), seen.end(), shape.kernel) == seen.end()) {
            fail(shape.kernel, "is missing, though it is launched");
        }
    }
    return result;
}

}  // namespace emulsion
