#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Who may include whom. One row per part of the tree; what a row does not name is refused."""
import re
import sys
import unittest

from source_tree import files, text_of

API = ["engine/engine.h", "engine/events.h", "engine/request.h", "engine/plan_report.h"]
BASE = ["engine/base/"]
DEVICE = ["engine/device/device.h", "engine/device/step_", "engine/device/kv_layout.h", "engine/device/ops/",
          "engine/device/formats/"]

# Longest matching prefix wins. Values are path prefixes.
RULES = {
    "engine/base/": BASE,
    "engine/device/": BASE + DEVICE,
    "engine/device/reference/": BASE + DEVICE + ["engine/device/reference/"],
    "engine/device/cpu/": BASE + DEVICE + ["engine/device/cpu/"],
    "engine/model_file/": BASE + ["engine/device/formats/block_format.h", "engine/model_file/"],
    "engine/model/": BASE + ["engine/device/formats/", "engine/device/ops/", "engine/model_file/", "engine/model/"],
    "engine/text/": BASE + ["engine/model_file/metadata.h", "engine/text/"],
    "engine/weights/": BASE + DEVICE + ["engine/model_file/", "engine/model/", "engine/weights/"],
    "engine/cache/": BASE + DEVICE + ["engine/model/", "engine/cache/"],
    "engine/forward/": BASE + DEVICE + ["engine/model/", "engine/weights/", "engine/cache/", "engine/forward/"],
    "engine/sampling/": BASE + ["engine/text/", "engine/sampling/", *API],
    "engine/loop/": BASE + DEVICE + ["engine/model/model_spec.h", "engine/text/", "engine/cache/", "engine/forward/",
                                     "engine/sampling/", "engine/loop/", *API],
    "engine/": ["engine/"],  # the files directly in engine/ assemble all parts
    **{header: BASE + API for header in API},
    "engine/events.cpp": BASE + API,
    "app/chat/": BASE + API + ["app/chat/"],
    "app/service/": BASE + API + ["app/chat/", "app/service/"],
    "app/ui/": BASE + API + ["app/chat/", "app/service/", "app/ui/"],
    "app/cli/": BASE + API + ["engine/bench.h", "app/chat/", "app/cli/"],
    "tests/": ["engine/", "app/", "tests/"],
}

# The tool commands of the terminal look into the engine, each in its own file.
TOOLS = {
    "app/cli/inspect.cpp": ["engine/model_file/", "engine/model/"],
    "app/cli/dequantize.cpp": ["engine/model_file/", "engine/device/formats/"],
    "app/cli/vocabulary_file.cpp": ["engine/model_file/", "engine/text/"],
    "app/cli/vocabulary_file.h": ["engine/text/"],
    "app/cli/detokenize.cpp": ["engine/text/"],
    "app/cli/render.cpp": ["engine/model_file/", "engine/text/"],
    "app/cli/logits.cpp": ["engine/model_file/safetensors_io.h"],  # the file it writes
}

# Third-party headers and where they may be seen.
VENDORS = [
    (re.compile(r"^(Q[A-Z]\w*|Qt\w*/.*|q[a-z]+\.h)$"), ["app/service/", "app/ui/", "tests/service/", "tests/ui/"]),
    (re.compile(r"^(sqlite3\.h|SQLiteCpp/.*)$"), ["app/chat/", "tests/chat/", "tests/service/", "tests/e2e/"]),
    (re.compile(r"^nlohmann/json\.hpp$"),
     ["engine/base/json", "engine/model_file/", "engine/text/", "app/chat/", "app/cli/", "tests/"]),
    (re.compile(r"^CLI/"), ["app/cli/arguments.cpp"]),
    (re.compile(r"^spdlog/"), ["engine/base/log.cpp"]),
    (re.compile(r"^openssl/"), ["engine/base/sha256.cpp", "tests/"]),
    (re.compile(r"^unicode/"), ["engine/text/", "tests/text/"]),
    (re.compile(r"^md4c"), ["app/ui/", "tests/ui/"]),
    (re.compile(r"^(immintrin|x86intrin|avx\w*)\.h$"), ["engine/device/cpu/isa_"]),
]

INCLUDE = re.compile(r'^\s*#\s*include\s+(?:"([^"]+)"|<([^>]+)>)', re.MULTILINE)


def row_of(path):
    keys = [key for key in RULES if path == key or (key.endswith("/") and path.startswith(key))]
    return max(keys, key=len, default=None)


def may_include(path, target):
    row = row_of(path)
    if row is None:
        return False
    # The device contract, but not one device from another: their folders name themselves.
    allowed = RULES[row] + TOOLS.get(path, [])
    return any(target == prefix or (prefix.endswith(("/", "_")) and target.startswith(prefix)) for prefix in allowed)


class IncludeRules(unittest.TestCase):
    def test_every_include_goes_the_allowed_way(self):
        broken = []
        seen = 0
        for path in map(str, files("*.h", "*.cpp")):
            for own, foreign in INCLUDE.findall(text_of(path)):
                seen += 1
                if own and ("/" not in own or not may_include(path, own)):
                    broken.append(f"{path} may not include {own}")
                for pattern, places in VENDORS:
                    if foreign and pattern.match(foreign) and not path.startswith(tuple(places)):
                        broken.append(f"{path} may not include <{foreign}>")
        self.assertGreater(seen, 100)
        self.assertEqual(broken, [], "\n" + "\n".join(broken))

    def test_an_upward_include_is_noticed(self):
        self.assertFalse(may_include("engine/base/json.h", "engine/text/tokenizer.h"))
        self.assertFalse(may_include("engine/device/cpu/cpu_device.cpp", "engine/device/reference/rows.h"))
        self.assertFalse(may_include("engine/loop/plan_step.cpp", "engine/model_file/gguf.h"))
        self.assertFalse(may_include("app/chat/store.cpp", "app/ui/main.h"))
        self.assertFalse(may_include("app/cli/generate.cpp", "engine/text/tokenizer.h"))
        self.assertTrue(may_include("app/cli/inspect.cpp", "engine/model_file/tensor_index.h"))
        self.assertTrue(may_include("engine/loop/plan_step.cpp", "engine/loop/state.h"))


if __name__ == "__main__":
    sys.exit(unittest.main(verbosity=1))
