#include "runtime/gpu/message.h"

#include <cstdarg>
#include <cstdio>

#include <HalideRuntime.h>

namespace emulsion::runtime::gpu {

bool Message::set(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return false;
}

int report(void *user_context, int code, const char *format, ...) {
    Message message;
    va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(message.text, sizeof message.text, format, arguments);
    va_end(arguments);
    halide_error(user_context, message.text);
    return code;
}

}  // namespace emulsion::runtime::gpu
