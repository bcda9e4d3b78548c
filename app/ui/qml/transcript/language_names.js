// SPDX-License-Identifier: Apache-2.0
// How a language of a code fence is written for people. An unknown word is shown as it stands.
.pragma library

const names = {
    bash: "Bash", c: "C", "c++": "C++", cc: "C++", cpp: "C++", cs: "C#", csharp: "C#", css: "CSS",
    cmake: "CMake", console: "Shell", diff: "Diff", go: "Go", hpp: "C++", html: "HTML", ini: "INI",
    java: "Java", javascript: "JavaScript", js: "JavaScript", json: "JSON", kotlin: "Kotlin",
    latex: "LaTeX", lua: "Lua", markdown: "Markdown", md: "Markdown", php: "PHP", plaintext: "Text",
    py: "Python", python: "Python", qml: "QML", r: "R", rb: "Ruby", rs: "Rust", ruby: "Ruby",
    rust: "Rust", sh: "Shell", shell: "Shell", sql: "SQL", swift: "Swift", text: "Text", toml: "TOML",
    ts: "TypeScript", txt: "Text", typescript: "TypeScript", xml: "XML", yaml: "YAML", yml: "YAML",
    zsh: "Zsh"
}

function shown(language) {
    const key = language.toLowerCase()
    return names.hasOwnProperty(key) ? names[key] : language
}
