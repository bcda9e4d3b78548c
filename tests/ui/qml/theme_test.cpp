// SPDX-License-Identifier: Apache-2.0
// Contrast of every pair of colours that can meet, computed from Theme (WCAG 2): 4.5 for text, 3.0
// for edges of controls. And the rules no view may break, read from the sources that are compiled
// in.
#include <QColor>
#include <QDirIterator>
#include <QQmlComponent>
#include <QRegularExpression>
#include <cmath>

#include "tests/ui/qml/shared_window.h"

namespace agens::ui::test {
namespace {

class ThemeTest : public ViewTest {
 protected:
    void SetUp() override {
        show("empty");
        QQmlComponent component(&m_window.engine());
        component.setData("import QtQml\nimport Agens\nQtObject { property QtObject theme: Theme }",
                          QUrl());
        m_holder.reset(component.create());
        ASSERT_NE(m_holder, nullptr) << component.errorString().toStdString();
        m_theme = m_holder->property("theme").value<QObject*>();
        ASSERT_NE(m_theme, nullptr);
    }
    QColor color(const char* token) {
        const QVariant value = m_theme->property(token);
        EXPECT_TRUE(value.isValid()) << token;
        return value.value<QColor>();
    }
    double contrast(const char* first, const char* second) {
        const double one = luminance(color(first)) + 0.05;
        const double two = luminance(color(second)) + 0.05;
        return std::max(one, two) / std::min(one, two);
    }
    void expectContrast(std::initializer_list<const char*> fronts,
                        std::initializer_list<const char*> backs, double least) {
        for (const bool isDark : {false, true}) {
            m_window.app.setProperty("dark", isDark);
            for (const char* front : fronts) {
                for (const char* back : backs)
                    EXPECT_GE(contrast(front, back), least)
                        << front << " on " << back << " dark " << isDark;
            }
        }
    }

 private:
    static double luminance(const QColor& color) {
        const auto linear = [](double part) {
            return part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
        };
        return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) +
               0.0722 * linear(color.blueF());
    }

    std::unique_ptr<QObject> m_holder;

 protected:
    QObject* m_theme = nullptr;
};

constexpr double kText = 4.5;
constexpr double kEdge = 3.0;

TEST_F(ThemeTest, TextCanBeReadOnEverySurface) {
    expectContrast({"text", "text2", "text3", "accent", "link", "danger", "warn", "ok"},
                   {"window", "sidebar", "surface", "hover", "selected", "code", "user"}, kText);
}

TEST_F(ThemeTest, TextCanBeReadOnItsOwnFill) {
    expectContrast({"accentText"}, {"accent"}, kText);
    expectContrast({"accent", "text"}, {"accentSoft"}, kText);
    expectContrast({"danger", "text"}, {"dangerBg"}, kText);
    expectContrast({"warn", "text"}, {"warnBg"}, kText);
    expectContrast({"ok", "text"}, {"okBg"}, kText);
    expectContrast({"window"}, {"text"}, kText);  // Stop
}

TEST_F(ThemeTest, CodeCanBeRead) {
    expectContrast({"syntaxKeyword", "syntaxString", "syntaxNumber", "syntaxComment", "syntaxType",
                    "syntaxFunction"},
                   {"code"}, kText);
}

TEST_F(ThemeTest, EdgesAndFocusCanBeSeen) {
    expectContrast({"borderStrong"}, {"window", "sidebar", "surface", "code"}, kEdge);
    expectContrast({"accent"},
                   {"window", "sidebar", "surface", "hover", "selected", "code", "user"}, kEdge);
    expectContrast({"danger"}, {"dangerBg", "window"}, kEdge);
    expectContrast({"warn"}, {"warnBg", "window"}, kEdge);
    expectContrast({"pWeights", "pKv", "pDraft", "pVision", "pCompute", "pOther"}, {"surface"},
                   kEdge);
}

TEST_F(ThemeTest, NoTokenIsReadAsASignalHandler) {
    const QMetaObject* const meta = m_theme->metaObject();
    const QRegularExpression handler("^on[A-Z]");
    for (int at = 0; at < meta->propertyCount(); ++at)
        EXPECT_FALSE(handler.match(QString::fromLatin1(meta->property(at).name())).hasMatch());
}

// Every QML file but Theme, with its text without comments.
QList<std::pair<QString, QString>> sources() {
    QList<std::pair<QString, QString>> found;
    QDirIterator files(":/Agens", {"*.qml"}, QDir::Files);
    const QRegularExpression comment("(?<![:\"])//[^\\n]*");
    while (files.hasNext()) {
        QFile file(files.next());
        EXPECT_TRUE(file.open(QIODevice::ReadOnly));
        found << std::pair(files.fileName(), QString::fromUtf8(file.readAll()).remove(comment));
    }
    return found;
}

void expectNowhere(const QString& pattern, const QString& exceptIn = {}) {
    const QRegularExpression forbidden(pattern);
    const auto files = sources();
    EXPECT_GT(files.size(), 40);
    for (const auto& [name, text] : files) {
        const QRegularExpressionMatch match = forbidden.match(text);
        EXPECT_TRUE(name == exceptIn || !match.hasMatch())
            << name.toStdString() << ": " << match.captured().toStdString();
    }
}

TEST(ViewRules, ColoursStandInThemeOnly) {
    expectNowhere("\"#[0-9A-Fa-f]{3,8}\"|Qt\\.(rgba|hsla|hsva|lighter|darker|tint)\\b",
                  "Theme.qml");
    expectNowhere("color:\\s*\"(?!transparent)", "Theme.qml");
}

TEST(ViewRules, NoTextIsReadAsMarkup) {
    expectNowhere("MarkdownText|RichText|StyledText|AutoText");
    for (const auto& [name, text] : sources()) {  // whoever draws text says that it is plain
        const QRegularExpression element("(?m)^ *(Text|TextEdit|TextArea) \\{");
        const auto count = text.count(element);
        EXPECT_EQ(count, text.count("textFormat:")) << name.toStdString();
    }
}

TEST(ViewRules, NoCodeIsMadeFromText) {
    expectNowhere("createQmlObject|\\beval\\b|XMLHttpRequest|new Function");
}

TEST(ViewRules, NothingIsLoadedFromAnAddress) {
    expectNowhere("source:\\s*\"(?!image://icon)|https?://");
}

TEST(ViewRules, WordsAreTranslatable) {
    expectNowhere(
        "(?m)^\\s*(text|name|placeholderText|title|Accessible\\.(name|description)):\\s*\"[A-Za-z]{"
        "2,} ");
}

}  // namespace
}  // namespace agens::ui::test
