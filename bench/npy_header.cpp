#include "bench/npy_header.h"

#include <algorithm>
#include <charconv>
#include <set>

#include <fmt/format.h>

#include "fusion/error.h"

namespace emulsion {

namespace {

// Reads the few Python literals that a header may hold, from left to right.
class Reader {
public:
    explicit Reader(std::string_view text) : text_(text) {}

    // Skips spaces, then `character` if it is there.
    bool accept(char character) {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) {
            at_++;
        }
        if (at_ < text_.size() && text_[at_] == character) {
            at_++;
            return true;
        }
        return false;
    }

    void expect(char character) {
        if (!accept(character)) {
            throw Error(
                fmt::format("malformed header: '{}' is missing at byte {}", character, at_));
        }
    }

    std::string string() {
        const char quote = accept('"') ? '"' : '\'';
        if (quote == '\'') {
            expect('\'');
        }
        const size_t end = text_.find(quote, at_);
        if (end == std::string_view::npos) {
            throw Error("malformed header: a string has no end");
        }
        std::string value(text_.substr(at_, end - at_));
        at_ = end + 1;
        for (const char character : value) {
            // Also keeps control characters out of messages.
            if (character < ' ' || character > '~' || character == '\\') {
                throw Error("malformed header: a string holds unexpected characters");
            }
        }
        return value;
    }

    bool boolean() {
        accept(' ');
        for (const std::string_view word : {"True", "False"}) {
            if (text_.substr(at_).starts_with(word)) {
                at_ += word.size();
                return word == "True";
            }
        }
        throw Error("malformed header: fortran_order is neither True nor False");
    }

    std::vector<int64_t> tuple() {
        std::vector<int64_t> values;
        expect('(');
        while (!accept(')')) {
            values.push_back(integer());
            if (values.size() > kNpyMaxRank) {
                throw Error(fmt::format("the rank is larger than {}", kNpyMaxRank));
            }
            if (accept(')')) {
                if (values.size() == 1) {
                    throw Error("malformed header: (N) is no tuple");
                }
                break;
            }
            expect(',');
        }
        return values;
    }

    bool at_end() {
        accept('\n');
        return at_ == text_.size();
    }

private:
    int64_t integer() {
        accept(' ');
        int64_t value = 0;
        const char *begin = text_.data() + at_;
        const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
        if (error == std::errc::result_out_of_range) {
            throw Error("an extent is too large");
        }
        if (error != std::errc()) {
            throw Error(fmt::format("malformed header: an extent is missing at byte {}", at_));
        }
        if (value < 0) {
            throw Error(fmt::format("the extent {} is negative", value));
        }
        at_ += static_cast<size_t>(end - begin);
        return value;
    }

    std::string_view text_;
    size_t at_ = 0;
};

}  // namespace

NpyHeader parse_npy_header(std::string_view text) {
    NpyHeader header;
    Reader reader(text);
    std::set<std::string> seen;
    reader.expect('{');
    while (!reader.accept('}')) {
        const std::string key = reader.string();
        if (!seen.insert(key).second) {
            throw Error(fmt::format("malformed header: '{}' comes twice", key));
        }
        reader.expect(':');
        if (key == "descr") {
            header.descriptor = reader.string();
        } else if (key == "fortran_order") {
            header.fortran_order = reader.boolean();
        } else if (key == "shape") {
            header.shape = reader.tuple();
        } else {
            throw Error(fmt::format("malformed header: unknown key '{}'", key));
        }
        if (!reader.accept(',')) {
            reader.expect('}');
            break;
        }
    }
    if (seen.size() != 3 || !reader.at_end()) {
        throw Error(
            "malformed header: descr, fortran_order and shape are wanted, and nothing else");
    }
    return header;
}

}  // namespace emulsion
