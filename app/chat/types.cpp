// SPDX-License-Identifier: Apache-2.0
// Names of the enums as the store's CHECK constraints spell them, and joined text of a message.
#include "app/chat/types.h"

#include <array>
#include <utility>

namespace agens::chat {
namespace {

template <class E, std::size_t N>
using Names = std::array<std::pair<E, const char*>, N>;

constexpr Names<Role, 4> kRoles{{{Role::System, "system"},
                                 {Role::User, "user"},
                                 {Role::Assistant, "assistant"},
                                 {Role::Tool, "tool"}}};
constexpr Names<MessageState, 7> kStates{{{MessageState::Queued, "queued"},
                                          {MessageState::Generating, "generating"},
                                          {MessageState::Complete, "complete"},
                                          {MessageState::Stopped, "stopped"},
                                          {MessageState::Limit, "limit"},
                                          {MessageState::Interrupted, "interrupted"},
                                          {MessageState::Error, "error"}}};
constexpr Names<PartKind, 6> kKinds{{{PartKind::Text, "text"},
                                     {PartKind::Reasoning, "reasoning"},
                                     {PartKind::Image, "image"},
                                     {PartKind::File, "file"},
                                     {PartKind::ToolCall, "tool_call"},
                                     {PartKind::ToolResult, "tool_result"}}};
constexpr Names<TitleSource, 4> kTitleSources{{{TitleSource::None, "none"},
                                               {TitleSource::FirstLine, "first_line"},
                                               {TitleSource::Model, "model"},
                                               {TitleSource::User, "user"}}};
constexpr Names<ThinkingMode, 3> kThinkingModes{
    {{ThinkingMode::Auto, "auto"}, {ThinkingMode::On, "on"}, {ThinkingMode::Off, "off"}}};

template <class E, std::size_t N>
const char* nameOf(const Names<E, N>& names, E value) {
    for (const auto& [candidate, name] : names) {
        if (candidate == value) return name;
    }
    return "";
}

template <class E, std::size_t N>
std::optional<E> valueOf(const Names<E, N>& names, std::string_view text) {
    for (const auto& [value, name] : names) {
        if (text == name) return value;
    }
    return std::nullopt;
}

std::string joined(const std::vector<Part>& parts, PartKind kind) {
    std::string text;
    for (const Part& part : parts) {
        if (part.kind == kind) text += part.text;
    }
    return text;
}

}  // namespace

const char* toString(Role role) {
    return nameOf(kRoles, role);
}
const char* toString(MessageState state) {
    return nameOf(kStates, state);
}
const char* toString(PartKind kind) {
    return nameOf(kKinds, kind);
}
const char* toString(TitleSource source) {
    return nameOf(kTitleSources, source);
}
const char* toString(ThinkingMode mode) {
    return nameOf(kThinkingModes, mode);
}

std::optional<Role> parseRole(std::string_view name) {
    return valueOf(kRoles, name);
}
std::optional<MessageState> parseMessageState(std::string_view name) {
    return valueOf(kStates, name);
}
std::optional<PartKind> parsePartKind(std::string_view name) {
    return valueOf(kKinds, name);
}
std::optional<TitleSource> parseTitleSource(std::string_view name) {
    return valueOf(kTitleSources, name);
}
std::optional<ThinkingMode> parseThinkingMode(std::string_view name) {
    return valueOf(kThinkingModes, name);
}

std::string Message::text() const {
    return joined(parts, PartKind::Text);
}
std::string Message::reasoning() const {
    return joined(parts, PartKind::Reasoning);
}

}  // namespace agens::chat
