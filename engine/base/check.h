// SPDX-License-Identifier: Apache-2.0
// CHECK(condition) << why: a programming error of ours. On in release; throws CheckFailure, which
// only the top of a thread catches (running requests end with Internal, the process lives).
// DCHECK: the same in hot loops, compiled in with AGENS_DCHECK. Never for what a file, a person or
// a device can cause: that is an Error. Not in destructors.
#pragma once

#include <exception>
#include <sstream>
#include <string>

namespace agens {

class CheckFailure : public std::exception {
 public:
    explicit CheckFailure(std::string text) : m_text(std::move(text)) {}
    const char* what() const noexcept override { return m_text.c_str(); }

 private:
    std::string m_text;
};

// Collects the reason and throws when the statement ends.
class CheckMessage {
 public:
    CheckMessage(const char* file, int line, const char* condition);
    CheckMessage(const CheckMessage&) = delete;
    CheckMessage& operator=(const CheckMessage&) = delete;
    [[noreturn]] ~CheckMessage() noexcept(false);

    template <class T>
    CheckMessage& operator<<(const T& value) {
        m_stream << value;
        return *this;
    }

 private:
    std::ostringstream m_stream;
};

}  // namespace agens

#define CHECK(condition)        \
    if (condition) [[likely]] { \
    } else                      \
        ::agens::CheckMessage(__FILE__, __LINE__, #condition)

#ifdef AGENS_DCHECK
#define DCHECK(condition) CHECK(condition)
#else
#define DCHECK(condition)      \
    if (true || (condition)) { \
    } else                     \
        ::agens::CheckMessage(__FILE__, __LINE__, #condition)
#endif
