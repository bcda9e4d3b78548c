// SPDX-License-Identifier: Apache-2.0
// agens chat: reads lines, answers them, understands /commands. Ctrl+C stops a reply; at the prompt
// it leaves. The history is the window's own, so only one of the two can have it open.
#include <charconv>

#include "app/cli/chat_session.h"
#include "app/cli/commands.h"
#include "app/cli/engine_opening.h"
#include "app/cli/exit_code.h"
#include "app/cli/history_store.h"
#include "app/cli/line_input.h"

namespace agens::cli {
namespace {

constexpr std::string_view kHelp =
    "/new          start another conversation\n"
    "/list         conversations, newest first\n"
    "/open N       go on with conversation N\n"
    "/regen        another reply to the last message\n"
    "/edit TEXT    replace the last message\n"
    "/settings     model, device and context\n"
    "/stats        speed and token counts of the last reply\n"
    "/help         this list\n"
    "/quit         leave (or Ctrl+D)\n"
    "A line that ends with \\ goes on in the next one. Ctrl+C stops a reply; at the prompt it "
    "leaves.\n";

Error unknown(const std::string& text) {
    return {ErrorKind::InvalidRequest, "chat.command",
            "\"" + text + "\" is not a command; /help lists them.", ""};
}

class ChatCommand {
 public:
    ChatCommand(chat::Store& store, engine::Engine& engine, const ChatArguments& arguments,
                Interrupts& interrupts, Terminal& terminal)
        : m_store(store),
          m_engine(engine),
          m_interrupts(interrupts),
          m_terminal(terminal),
          m_session(store, engine, arguments.reply, interrupts, terminal),
          m_input(interrupts) {}

    Result<int> run(bool continueLast) {
        if (m_terminal.isInputTerminal()) greet();
        if (continueLast) TRY_VOID(m_session.openLatest());
        bool failed = false;
        std::string line;
        while (!m_left) {
            if (m_terminal.isInputTerminal()) m_terminal.out("> ");
            m_terminal.flush();
            const LineInput::Outcome outcome = m_input.read(line);
            if (outcome == LineInput::Outcome::Interrupted) return kInterrupted;
            if (outcome == LineInput::Outcome::End) break;
            failed = !handle(line) || failed;
            m_interrupts.take();  // one that stopped a reply is spent
        }
        // At a terminal the person saw the message; a script needs the status.
        return failed && !m_terminal.isInputTerminal() ? kFailed : kOk;
    }

 private:
    void greet() {
        const engine::ModelFacts& model = m_engine.model();
        m_terminal.outForeign(model.name + ", " + m_engine.deviceText() + ", context " +
                              std::to_string(m_engine.plan().servedContext) +
                              ". /help lists the commands.\n");
    }

    // False after an error was shown.
    bool handle(const std::string& line) {
        const Result<void> done = line.starts_with('/') ? obey(line) : say(line);
        if (!done) m_terminal.fail(done.error());
        return done.ok();
    }

    Result<void> say(const std::string& line) {
        if (line.find_first_not_of(" \t\n") == std::string::npos) return {};
        return m_session.send(line);
    }

    Result<void> obey(const std::string& line) {
        const std::size_t space = line.find(' ');
        const std::string name = line.substr(0, space);
        const std::string rest = space == std::string::npos ? "" : line.substr(space + 1);
        if (name == "/new")
            m_session.startNew();
        else if (name == "/list")
            return list();
        else if (name == "/open")
            return open(rest);
        else if (name == "/regen")
            return m_session.regenerate();
        else if (name == "/edit" && !rest.empty())
            return m_session.edit(rest);
        else if (name == "/settings")
            showSettings();
        else if (name == "/stats")
            m_terminal.notice(m_session.lastStats());
        else if (name == "/help")
            m_terminal.out(kHelp);
        else if (name == "/quit")
            m_left = true;
        else
            return unknown(line);
        return {};
    }

    Result<void> list() {
        TRY(const std::vector<chat::ConversationHead> heads, m_store.conversations().get());
        for (const chat::ConversationHead& head : heads) {
            m_terminal.outForeign(std::to_string(head.id.value) + "  " + head.title + "\n");
        }
        return {};
    }

    Result<void> open(const std::string& text) {
        std::int64_t id = 0;
        const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), id);
        if (failure != std::errc() || end != text.data() + text.size())
            return unknown("/open " + text);
        return m_session.open(chat::ConversationId(id));
    }

    void showSettings() {
        const engine::PlanReport& plan = m_engine.plan();
        m_terminal.outForeign(m_engine.model().name + " (" + m_engine.model().quantisation + ")\n" +
                              m_engine.deviceText() + "\ncontext " +
                              std::to_string(plan.servedContext) + " tokens (" + plan.limit +
                              "), memory " + toText(plan.total()) + "\n");
    }

    chat::Store& m_store;
    engine::Engine& m_engine;
    Interrupts& m_interrupts;
    Terminal& m_terminal;
    ChatSession m_session;
    LineInput m_input;
    bool m_left = false;
};

Result<int> runChat(const ChatArguments& arguments, Terminal& terminal) {
    Interrupts interrupts;
    TRY(const std::unique_ptr<chat::Store> store,
        openHistory(arguments.engine.dataDir, "agens chat"));
    TRY(const std::unique_ptr<engine::Engine> engine,
        openEngine(arguments.engine, terminal, interrupts.token()));
    return ChatCommand(*store, *engine, arguments, interrupts, terminal)
        .run(arguments.continueLast);
}

}  // namespace

int run(const ChatArguments& arguments, Terminal& terminal) {
    const auto status = runChat(arguments, terminal);
    return status ? *status : terminal.fail(status.error());
}

}  // namespace agens::cli
