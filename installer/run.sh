#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what is needed, builds the program, obtains the starter model, opens the window.
#
#   installer/run.sh              everything
#   installer/run.sh --headless   everything but the window
#
# Safe to run again: packages, build and model that are there are left as they are.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"

headless=no
case "${1:-}" in
    "") ;;
    --headless) headless=yes ;;
    *)
        sed -n '3,8s/^# \{0,1\}//p' "$0"
        [ "$1" = --help ] && exit 0
        exit 2
        ;;
esac

# shellcheck source=installer/packages.sh
. installer/packages.sh
ensure_packages build/stamps build run

# An existing build folder keeps its choice about tests, so that this and tests/run.sh share it.
without_tests=()
[ -f build/release/CMakeCache.txt ] || without_tests=(-DAGENS_TESTS=OFF)
cmake --preset release "${without_tests[@]}" >build/configure.log || {
    cat build/configure.log >&2
    exit 1
}
targets=$(cmake --build build/release --target help | grep -oE '^(agens|agens-desktop):' | tr -d :)
# shellcheck disable=SC2086
cmake --build build/release --target $targets

models="${XDG_DATA_HOME:-$HOME/.local/share}/agens-desktop/models"
model=$(python3 installer/fetch_model.py --folder "$models")

echo
echo "Starter model: $model"
echo "Terminal:      $root/build/release/bin/agens chat --model '$model'"
[ "$headless" = no ] || exit 0
if [ -z "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
    echo "There is no display here, so the window cannot open. Use the line above to chat in the terminal."
    exit 0
fi
echo "Window:        $root/build/release/bin/agens-desktop"
exec build/release/bin/agens-desktop
