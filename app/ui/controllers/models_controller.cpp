// SPDX-License-Identifier: Apache-2.0
// See the header.
#include "app/ui/controllers/models_controller.h"

#include <algorithm>
#include <array>
#include <utility>

#include "app/ui/models/text_format.h"

namespace agens::ui {
namespace {

using engine::LoadStep;
using service::EngineState;

constexpr std::chrono::seconds kRateWindow{2};
constexpr std::uint64_t kSmallestShown = 1 << 20;  // below a MiB the figures only flicker

// Where each step begins in the bar; its end is the next one's beginning.
constexpr std::array<double, 5> kStepBegins = {0.0, 0.02, 0.5, 0.98, 1.0};

}  // namespace

ModelsController::ModelsController(service::EngineService& service, chat::Store& store,
                                   AppController& app, const Clock& clock, ModelsOptions options)
    : m_service(service),
      m_store(store),
      m_app(app),
      m_clock(clock),
      m_options(std::move(options)) {
    connect(&service, &service::EngineService::modelChanged, this, &ModelsController::changed);
    connect(&service, &service::EngineService::progressed, this, &ModelsController::progress);
    connect(&app, &AppController::bannerActionAsked, this, [this](const QString& id) {
        if (id == QLatin1String("reload")) reload();
        if (id == QLatin1String("openModel")) emit openModelAsked();
    });
}

void ModelsController::load(const std::filesystem::path& model) {
    m_service.load(model);
}

void ModelsController::openFile(const QUrl& url) {
    if (!url.isLocalFile()) {
        m_app.showBanner({QStringLiteral("This is not a file on this computer"), url.toString(),
                          QStringLiteral("Choose a model file (.gguf) from a folder."),
                          QStringLiteral("Open a model…"), QStringLiteral("openModel")});
        return;
    }
    m_app.dismissBanner();
    load(std::filesystem::path(toStd(url.toLocalFile())));
}

void ModelsController::cancelLoad() {
    m_service.cancelLoad();
}

void ModelsController::reload() {
    if (!m_service.modelPath().empty()) load(m_service.modelPath());
}

QString ModelsController::path() const {
    return toQt(m_service.modelPath().string());
}

bool ModelsController::isStarter() const {
    return !m_options.starter.empty() &&
           m_service.modelPath().filename() == m_options.starter.filename();
}

QString ModelsController::name() const {
    if (isStarter() && !m_options.starterName.isEmpty()) return m_options.starterName;
    if (const auto engine = m_service.engine()) return toQt(engine->model().name);
    return toQt(m_service.modelPath().stem().string());
}

QString ModelsController::detail() const {
    const auto engine = m_service.engine();
    if (!engine) return {};
    const engine::ModelFacts& model = engine->model();
    QStringList words;
    if (model.parameters > 0) words << parameterCount(model.parameters);
    if (!model.quantisation.empty()) words << toQt(model.quantisation);
    words << groupedNumber(engine->plan().servedContext) + QStringLiteral(" ctx");
    return words.join(QStringLiteral(" · "));
}

QString ModelsController::note() const {
    return isStarter() ? tr("tiny model, for trying the program") : QString();
}

void ModelsController::changed() {
    if (m_service.state() == EngineState::Loading) {
        m_loadDone = 0;
        m_loadText.clear();
        m_samples.clear();
        m_step = LoadStep::Checking;
        emit progressed();
    }
    if (m_service.state() == EngineState::Ready && m_options.isRemembered) {
        m_store.setSetting("model.current", m_service.modelPath().string()).ignore();
    }
    if (const auto& error = m_service.loadError(); error && hasFailed()) {
        m_app.showBanner({QStringLiteral("The model could not be opened"), toQt(error->text()),
                          QStringLiteral("Your chats are not touched. Choose another model file."),
                          QStringLiteral("Open a model…"), QStringLiteral("openModel")});
    }
    emit modelChanged();
}

QString ModelsController::loadStep() const {
    switch (m_step) {
        case LoadStep::Checking:
            return QStringLiteral("Checking the plan");
        case LoadStep::Reading:
            return QStringLiteral("Reading weights");
        case LoadStep::Preparing:
            return QStringLiteral("Preparing");
        case LoadStep::WarmingUp:
            return QStringLiteral("Warming up");
    }
    return {};
}

void ModelsController::progress() {
    const engine::LoadProgress& progress = m_service.progress();
    if (progress.step != m_step) m_samples.clear();
    m_step = progress.step;
    const auto step = static_cast<std::size_t>(progress.step);
    const double share = progress.total == 0
                             ? 0.0
                             : std::min(1.0, static_cast<double>(progress.done) /
                                                 static_cast<double>(progress.total));
    const double now = kStepBegins[step] + share * (kStepBegins[step + 1] - kStepBegins[step]);
    m_loadDone = std::max(m_loadDone, now);
    m_loadText = rateText(progress);
    emit progressed();
}

QString ModelsController::rateText(const engine::LoadProgress& progress) {
    if (progress.total < kSmallestShown) return {};
    const auto now = m_clock.now();
    m_samples.push_back({now, progress.done});
    while (m_samples.size() > 2 && now - m_samples.front().at > kRateWindow)
        m_samples.pop_front();
    const Sample& first = m_samples.front();
    const double seconds = std::chrono::duration<double>(now - first.at).count();
    const bool hasRate = seconds > 0 && progress.done > first.done;
    const double rate = hasRate ? static_cast<double>(progress.done - first.done) / seconds : 0.0;
    return ui::loadText(progress.done, progress.total, rate);
}

}  // namespace agens::ui
