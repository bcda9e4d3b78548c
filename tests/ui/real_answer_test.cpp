// SPDX-License-Identifier: Apache-2.0
// The whole program with nothing replaced: the starter model answers in the window, and the window
// is photographed (build/…/screenshots/chat.png; the picture in the README is one of these). What
// is said is the model's business; that it is stored, shown and drawn is ours.
#include <gtest/gtest.h>

#include <QImage>
#include <set>

#include "app/chat/file_system.h"
#include "app/chat/random_source.h"
#include "app/ui/window.h"
#include "tests/service/service_fixture.h"

namespace agens::ui {
namespace {

using agens::test::waitFor;

// The real engine with greedy sampling, so that the test is the same every time.
class GreedyEngine final : public engine::Engine {
 public:
    explicit GreedyEngine(std::unique_ptr<engine::Engine> real) : m_real(std::move(real)) {}
    const engine::ModelFacts& model() const override { return m_real->model(); }
    const engine::PlanReport& plan() const override { return m_real->plan(); }
    std::string deviceText() const override { return m_real->deviceText(); }
    Result<std::shared_ptr<engine::RequestHandle>> submit(engine::Request request) override {
        request.sampling.temperature = 0;
        return m_real->submit(std::move(request));
    }
    Result<engine::Prompt> render(const engine::Request& request) const override {
        return m_real->render(request);
    }
    Result<engine::Evaluation> evaluate(const engine::EvaluateRequest& request,
                                        std::stop_token stop) override {
        return m_real->evaluate(request, std::move(stop));
    }
    engine::EngineStats stats() const override { return m_real->stats(); }

 private:
    std::unique_ptr<engine::Engine> m_real;
};

Result<std::unique_ptr<engine::Engine>> openGreedy(const std::filesystem::path& path,
                                                   const engine::LoadSink& progress,
                                                   std::stop_token stop) {
    TRY(std::unique_ptr<engine::Engine> real,
        engine::openEngine({.model = path}, progress, std::move(stop)));
    return std::unique_ptr<engine::Engine>(std::make_unique<GreedyEngine>(std::move(real)));
}

std::size_t coloursOf(const QImage& picture) {
    std::set<QRgb> colours;
    for (int y = 0; y < picture.height(); y += 3) {
        for (int x = 0; x < picture.width(); x += 3)
            colours.insert(picture.pixel(x, y));
    }
    return colours.size();
}

TEST(RealAnswer, TheStarterModelAnswersInTheWindow) {
    const auto starter = agens::test::starterModel();
    if (!starter) GTEST_SKIP() << "SKIPPED (no starter model)";
    SystemClock clock;
    chat::SystemFiles files;
    chat::SystemRandom random;
    const auto paths = *chat::storePaths({.dataDir = agens::test::scratchFolder() / "answer"});
    auto store = chat::Store::open(paths, chat::OpenMode::Live, "test", {clock, files, random});
    ASSERT_TRUE(store.ok()) << store.error().text();
    setUpAppearance();
    Window window(**store, clock, {.factory = openGreedy, .models = {.isRemembered = false}});
    ASSERT_TRUE(window.show().ok());
    window.quickWindow()->resize(1280, 800);
    window.models().load(*starter);
    ASSERT_TRUE(waitFor([&] { return window.models().isLoaded(); }));
    bool hasEnded = false;
    QObject::connect(&window.chat(), &ChatController::ended, [&] { hasEnded = true; });
    window.chat().send("What is the capital of France?");
    for (int i = 0; i < 10 && !hasEnded; ++i)
        waitFor([&] { return hasEnded; });
    ASSERT_TRUE(hasEnded);

    const auto messages = window.chat().transcript()->messages();
    ASSERT_EQ(messages.size(), 2U);
    EXPECT_NE(messages.back().text.find("Paris"), std::string::npos) << messages.back().text;
    const QDeadlineTimer settle(500);  // late layout
    waitFor([&] { return settle.hasExpired(); });
    const QImage picture = window.quickWindow()->grabWindow();
    const auto folder = agens::test::buildFolder() / "screenshots";
    std::filesystem::create_directories(folder);
    ASSERT_TRUE(picture.save(QString::fromStdString((folder / "chat.png").string())));
    EXPECT_EQ(picture.size(), QSize(1280, 800));
    EXPECT_GT(coloursOf(picture), 50U);  // text with smooth edges, not an empty sheet
    window.shutDown();
}

}  // namespace
}  // namespace agens::ui
