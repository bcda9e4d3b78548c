#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The program `agens` as a person or a script meets it: exit statuses, texts, files. No model but the
tiny goldens; what generates runs a script.

usage: cli_test.py AGENS [unittest options]"""
import json
import os
import signal
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
GOLDEN = ROOT / "tests" / "golden"
TINY = GOLDEN / "models" / "llama-tied" / "llama-tied.gguf"
PATIENCE = 30  # seconds until a hanging program is a failure, never a measure

HELLO = """model "Scripted" context=4096
reply
  text <<END
Hello, *you*.
END
  finish end
end
"""
HOSTILE = 'model "Scripted" context=4096\nreply\n  text <<END\na\x1b[2Jb\x07c\td\nEND\n  finish end\nend\n'
STALLED = 'model "Scripted" context=4096\nreply\n  text <<END\nbegun\nEND\n  stall 60s\n  finish end\nend\n'
FAILING = 'model "Scripted" context=4096\nreply\n  fail device.lost "The device is gone."\nend\n'

AGENS = None


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def agens(self, *arguments, stdin="", status=0):
        """Runs the program; gives stdout and stderr as text."""
        data = stdin if isinstance(stdin, bytes) else stdin.encode()
        done = subprocess.run([AGENS, *map(str, arguments)], input=data, capture_output=True, timeout=PATIENCE)
        out, err = done.stdout.decode(), done.stderr.decode()
        self.assertEqual(done.returncode, status, f"{arguments}\n{out}\n{err}")
        return out, err

    def script(self, text):
        path = self.folder / "script.txt"
        path.write_text(text)
        return f"scripted:{path}"

    def data_dir(self):
        return self.folder / "data"


class Arguments(Case):
    def test_help_and_version(self):
        self.assertIn("generate", self.agens("--help")[0])
        self.assertIn("--temperature", self.agens("generate", "--help")[0])
        self.assertRegex(self.agens("--version")[0], r"^\d+\.\d+\.\d+\n$")

    def test_bad_arguments_are_status_two(self):
        for bad in ([], ["nonsense"], ["generate", "--temperature", "warm"], ["generate", "--device", "tpu"],
                    ["generate", "--engine", "other"], ["inspect"], ["history"], ["dequantize", TINY, "--out", "x"]):
            out, err = self.agens(*bad, status=2)
            self.assertEqual(out, "")
            self.assertNotEqual(err, "")

    def test_without_a_model_the_remedy_is_named(self):
        _, err = self.agens("generate", "--prompt", "x", "--data-dir", self.data_dir(), status=1)
        self.assertIn("No model is installed; run installer/run.sh, or name a file with --model.", err)

    def test_a_full_disk_is_a_failure(self):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([AGENS, "inspect", str(TINY)], stdout=full, stderr=subprocess.PIPE, timeout=PATIENCE)
        self.assertEqual(done.returncode, 1)
        self.assertIn(b"could not be written", done.stderr)


class Inspect(Case):
    def test_json_describes_the_file(self):
        shown = json.loads(self.agens("inspect", "--json", TINY)[0])
        self.assertEqual(shown["container"], "gguf v3")
        self.assertEqual(shown["family"], "llama")
        self.assertEqual(shown["spec"]["layers"], 3)
        self.assertEqual(len(shown["tensors"]), 29)
        self.assertEqual(set(shown["tensors"][0]), {"name", "format", "shape", "bytes"})
        self.assertEqual(shown["problems"], [])

    def test_a_broken_file_is_one_json_error(self):
        broken = self.folder / "broken.gguf"
        broken.write_bytes(TINY.read_bytes()[:-100])
        error = json.loads(self.agens("inspect", "--json", broken, status=1)[0])["error"]
        self.assertEqual((error["kind"], error["id"]), ("InvalidFile", "G24"))
        self.assertIn("truncated download?", self.agens("inspect", broken, status=1)[1])

    def test_a_missing_file(self):
        self.assertIn("cannot be opened", self.agens("inspect", "no-such-file", status=1)[1])


class Text(Case):
    def test_text_goes_to_ids_and_back(self):
        text = "The cat sat. 123 äöü 你好\n"
        ids = self.agens("tokenize", "--model", TINY, stdin=text)[0].split()
        self.assertGreater(len(ids), 5)
        self.assertEqual(self.agens("detokenize", "--model", TINY, stdin=" ".join(ids))[0], text + "\n")

    def test_batch_forms(self):
        lines = '{"text": "abc"}\n\n{"base64": "YWJj"}\n{"base64": "/w=="}\n'
        first, second, third = map(json.loads, self.agens("tokenize", "--model", TINY, "--jsonl", stdin=lines)[0].splitlines())
        self.assertEqual(first, second)
        self.assertTrue(third["ids"])
        back = self.agens("detokenize", "--model", TINY, "--jsonl", stdin=json.dumps(first))[0]
        self.assertEqual(json.loads(back), {"text": "abc"})

    def test_a_bad_line_is_named(self):
        _, err = self.agens("tokenize", "--model", TINY, "--jsonl", stdin='{"text": "a"}\n{"txt": 1}\n', status=1)
        self.assertIn("line 2", err)

    def test_templates_render_and_fail_as_they_say(self):
        template = self.folder / "chat.jinja"
        template.write_text("{% if not messages %}{{ raise_exception('nobody spoke') }}{% endif %}[{{ messages[0].content }}]")
        lines = '{"messages": [{"role": "user", "content": "hi"}]}\n{"messages": []}\n'
        first, second = self.agens("render", "--template", template, "--jsonl", "--spans", stdin=lines)[0].splitlines()
        self.assertEqual(json.loads(first), {"text": "[hi]", "spans": [[0, 1, "template"], [1, 3, "content"], [3, 4, "template"]]})
        self.assertEqual(json.loads(second), {"error": {"kind": "raise_exception", "message": "nobody spoke"}})
        snippet = json.dumps({"template": "{{ 1 +", "context": {}})
        shown = json.loads(self.agens("render", "--snippet", "--jsonl", stdin=snippet)[0])
        self.assertEqual(shown["error"]["kind"], "syntax")
        clock = json.dumps({"template": "{{ strftime_now('%Y %B') }}", "context": {}})
        shown = self.agens("render", "--snippet", "--jsonl", "--now", "2026-03-14T15:09:26", stdin=clock)[0]
        self.assertEqual(json.loads(shown), {"text": "2026 March"})


class Dequantize(Case):
    def test_golden_blocks_bit_for_bit(self):
        for name in ("q4_1", "q8_0", "f16", "bf16"):
            out = self.folder / f"{name}.f32"
            self.agens("dequantize", "--raw-blocks", name.upper(), GOLDEN / "blocks" / f"{name}.bin", "--out", out)
            self.assertEqual(out.read_bytes(), (GOLDEN / "blocks" / f"{name}.f32").read_bytes(), name)

    def test_a_tensor_as_npy_and_no_overwriting(self):
        out = self.folder / "norm.npy"
        self.agens("dequantize", TINY, "output_norm.weight", "--out", out)
        data = out.read_bytes()
        self.assertEqual(data[:6], b"\x93NUMPY")
        length = struct.unpack("<H", data[8:10])[0]
        self.assertIn(b"'shape': (64, )", data[10:10 + length])
        self.assertEqual(len(data), 10 + length + 64 * 4)
        self.assertEqual((10 + length) % 64, 0)
        self.assertIn("cannot be created", self.agens("dequantize", TINY, "output_norm.weight", "--out", out, status=1)[1])
        self.assertIn("no tensor", self.agens("dequantize", TINY, "nothing", "--out", self.folder / "x", status=1)[1])


class Generate(Case):
    def test_text_ids_json_and_stats(self):
        engine = self.script(HELLO)
        out, err = self.agens("generate", "--engine", engine, "--prompt", "hi", "--stats")
        self.assertEqual(out, "Hello, *you*.\n")
        self.assertIn("tok/s", err)
        self.assertEqual(self.agens("generate", "--engine", engine, stdin="hi")[0], "Hello, *you*.\n")
        stats = self.folder / "stats.json"
        shown = json.loads(self.agens("generate", "--engine", engine, "--prompt", "hi", "--json", "--stats-json", stats)[0])
        self.assertEqual((shown["text"].strip(), shown["finish_reason"]), ("Hello, *you*.", "end"))
        self.assertEqual(json.loads(stats.read_text())["finish_reason"], "end")
        self.assertRegex(self.agens("generate", "--engine", engine, "--prompt", "hi", "--ids")[0], r"^\d+( \d+)*\n$")

    def test_control_characters_never_reach_the_terminal(self):
        out, _ = self.agens("generate", "--engine", self.script(HOSTILE), "--prompt", "hi")
        self.assertEqual(out, "a[2Jbc\td\n")

    def test_a_failing_engine_is_status_one(self):
        out, err = self.agens("generate", "--engine", self.script(FAILING), "--prompt", "hi", status=1)
        self.assertEqual(out, "")
        self.assertIn("The device is gone.", err)
        self.assertIn("Line 1", self.agens("generate", "--engine", self.script("nonsense\n"), "--prompt", "x", status=1)[1])

    def test_interrupt_ends_a_reply_with_status_130(self):
        with subprocess.Popen([AGENS, "generate", "--engine", self.script(STALLED), "--prompt", "hi"],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE) as program:
            self.assertEqual(program.stdout.read(5), b"begun")
            program.send_signal(signal.SIGINT)
            self.assertEqual(program.wait(PATIENCE), 130)


class Logits(Case):
    def test_the_file_holds_every_asked_row(self):
        tokens, out = self.folder / "tokens.json", self.folder / "out.safetensors"
        tokens.write_text(json.dumps({"ids": [1, 2, 3, 4], "positions": [1, 3]}))
        self.agens("logits", "--model", TINY, "--tokens", tokens, "--out", out, "--device", "reference")
        data = out.read_bytes()
        header = json.loads(data[8:8 + struct.unpack("<Q", data[:8])[0]])
        self.assertEqual(header["logits"]["shape"][0], 2)
        self.assertEqual((header["positions"]["dtype"], header["positions"]["shape"]), ("I64", [2]))
        same = self.folder / "same.safetensors"
        self.agens("logits", "--model", TINY, "--tokens", tokens, "--out", same, "--rows", 1)
        self.assertEqual(same.read_bytes(), data)  # rows of a step and the device do not change a bit

    def test_on_failure_there_is_no_file(self):
        tokens, out = self.folder / "tokens.json", self.folder / "out.safetensors"
        for bad in ("{}", '{"ids": [1], "positions": [1]}', '{"ids": [1, 2], "positions": [1, 0]}', "[99999999]", "nonsense"):
            tokens.write_text(bad)
            self.agens("logits", "--model", TINY, "--tokens", tokens, "--out", out, status=1)
            self.assertFalse(out.exists(), bad)


class Chat(Case):
    def chat(self, lines, *options, status=0):
        return self.agens("chat", "--engine", self.script(HELLO), "--data-dir", self.data_dir(), *options,
                          stdin=lines, status=status)

    def history(self, *arguments):
        return self.agens("history", *arguments, "--data-dir", self.data_dir())[0]

    def test_what_was_said_is_kept(self):
        self.assertEqual(self.chat("Good day\n")[0].strip(), "Hello, *you*.")
        listed = json.loads(self.history("list", "--json"))["conversations"]
        self.assertEqual([entry["title"] for entry in listed], ["Good day"])
        shown = json.loads(self.history("show", listed[0]["id"], "--json"))
        self.assertEqual([(m["role"], m["state"]) for m in shown["messages"]], [("user", "complete"), ("assistant", "complete")])
        self.assertIn("Good day", self.history("show", listed[0]["id"]))

    def test_commands(self):
        out, err = self.chat("one\n/regen\n/edit two\n/stats\n/new\nthree\n/list\n/settings\n/help\n/quit\nnever\n")
        self.assertEqual(out.count("Hello, *you*."), 4)
        self.assertIn("tok/s", err)
        self.assertIn("three", out)
        self.assertIn("/regen", out)
        self.assertEqual(len(json.loads(self.history("list", "--json"))["conversations"]), 2)

    def test_continue_and_several_lines(self):
        self.chat("first\\\nsecond\n")
        self.chat("more\n", "--continue")
        shown = json.loads(self.history("show", 1, "--json"))
        self.assertEqual([m["text"].strip() for m in shown["messages"] if m["role"] == "user"], ["first\nsecond", "more"])

    def test_a_wrong_command_is_an_error_and_the_chat_goes_on(self):
        out, err = self.chat("/fly\nstill here\n", status=1)
        self.assertIn('"/fly" is not a command', err)
        self.assertIn("Hello, *you*.", out)

    def test_the_history_belongs_to_one_program(self):
        with subprocess.Popen([AGENS, "chat", "--engine", self.script(STALLED), "--data-dir", str(self.data_dir())],
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as program:
            program.stdin.write(b"hello\n")
            program.stdin.flush()
            self.assertEqual(program.stdout.read(5), b"begun")
            _, err = self.agens("history", "list", "--data-dir", self.data_dir(), status=1)
            self.assertIn("The history is in use by agens chat", err)
            program.send_signal(signal.SIGINT)  # stops the reply
            program.stdin.close()               # and then the input ends
            self.assertEqual(program.wait(PATIENCE), 0)
        shown = json.loads(self.history("show", 1, "--json"))
        self.assertEqual((shown["messages"][1]["text"], shown["messages"][1]["state"]), ("begun", "stopped"))

    def test_a_kill_loses_no_message(self):
        with subprocess.Popen([AGENS, "chat", "--engine", self.script(STALLED), "--data-dir", str(self.data_dir())],
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as program:
            program.stdin.write(b"remember me\n")
            program.stdin.flush()
            self.assertEqual(program.stdout.read(5), b"begun")
            program.kill()
        shown = json.loads(self.history("show", 1, "--json"))
        self.assertEqual(shown["messages"][0]["text"], "remember me")
        self.assertEqual(shown["messages"][1]["state"], "interrupted")


if __name__ == "__main__":
    AGENS = os.path.abspath(sys.argv.pop(1))
    unittest.main()
