#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs one command in a throw-away world: fresh HOME and XDG folders, fixed locale and time zone, no
# display, no session bus. Everything below is removed afterwards. Used by every test (CMake).
set -eu
world=$(mktemp -d /tmp/agens-t.XXXXXX)
trap 'chmod -R u+rwX "$world" 2>/dev/null; rm -rf "$world"' EXIT
mkdir -p "$world"/{home,data,config,state,cache,tmp}
mkdir -m 0700 "$world/run"
export HOME="$world/home" XDG_DATA_HOME="$world/data" XDG_CONFIG_HOME="$world/config"
export XDG_STATE_HOME="$world/state" XDG_CACHE_HOME="$world/cache" XDG_RUNTIME_DIR="$world/run"
export TMPDIR="$world/tmp" LC_ALL=C.UTF-8 TZ=UTC
export QT_QPA_PLATFORM=offscreen QT_QUICK_BACKEND=software QT_FATAL_WARNINGS="${QT_FATAL_WARNINGS:-1}"
export ASAN_OPTIONS="detect_leaks=1:${ASAN_OPTIONS:-}" UBSAN_OPTIONS="print_stacktrace=1:${UBSAN_OPTIONS:-}"
unset DISPLAY WAYLAND_DISPLAY DBUS_SESSION_BUS_ADDRESS
"$@"
