#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds and runs every test; the last line is "N passed, N failed, N skipped".
#
#   tests/run.sh             everything that fits into 40 minutes on two cores
#   tests/run.sh --quick     release build and the tests with label fast only
#   tests/run.sh --offline   never downloads; tests that need a missing model are skipped, not failed
#   tests/run.sh --nightly   every count in full and clang-tidy over all files; run by hand
#
# Exit status 0 only if nothing failed. Parts go on after a failure, so that one run shows everything.
set -uo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root" || exit 1

mode=full offline=no
for option in "$@"; do
    case "$option" in
        --quick) mode=quick ;;
        --nightly) mode=nightly ;;
        --offline) offline=yes ;;
        *)
            sed -n '3,11s/^# \{0,1\}//p' "$0"
            [ "$option" = --help ] && exit 0
            exit 2
            ;;
    esac
done
[ "$mode" = nightly ] && export AGENS_NIGHTLY=1
# A checkout elsewhere shares the compiler cache: paths below the root count as relative.
export CCACHE_BASEDIR="$root" CCACHE_NOHASHDIR=1

passed=0 failed=0 skipped=0
times=()

# part NAME COMMAND…: runs one part and remembers its minutes; a failing part counts as one failure
# unless it has counted its own.
part() {
    local name=$1 begin=$SECONDS failed_before=$failed
    shift
    printf '\n== %s\n' "$name"
    if ! "$@" && [ "$failed" -eq "$failed_before" ]; then failed=$((failed + 1)); fi
    local took=$((SECONDS - begin))
    times+=("$(printf '%4d min %02d s  %s' $((took / 60)) $((took % 60)) "$name")")
}

finish() {
    printf '\nMinutes per part:\n'
    printf '%s\n' "${times[@]}"
    printf '\n%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
    [ "$failed" -eq 0 ]
}

packages() {
    # shellcheck source=installer/packages.sh
    . installer/packages.sh
    if [ "$mode" = quick ]; then ensure_packages build/stamps build run test; else
        ensure_packages build/stamps build run test check
    fi
}

# The model may lie in a folder of the caller, in the installed place, or is fetched once.
models() {
    local places=() path
    [ -n "${AGENS_MODEL_DIR:-}" ] && places+=(--also "$AGENS_MODEL_DIR")
    places+=(--also "${XDG_DATA_HOME:-$HOME/.local/share}/agens-desktop/models")
    [ "$offline" = yes ] && places+=(--offline)
    if path=$(python3 installer/fetch_model.py "${places[@]}" --folder build/models); then
        AGENS_MODEL_DIR=$(dirname "$path")
        export AGENS_MODEL_DIR
        echo "Starter model: $path"
        return 0
    fi
    [ "$offline" = yes ]
}

# build PRESET [TARGET…]
build() {
    local preset=$1
    shift
    cmake --preset "$preset" -DAGENS_TESTS=ON >"build/$preset.configure.log" 2>&1 || {
        cat "build/$preset.configure.log"
        return 1
    }
    cmake --build "build/$preset" ${1:+--target "$@"} >"build/$preset.build.log" 2>&1 || {
        grep -E 'error|FAILED' -A8 "build/$preset.build.log" | head -80
        return 1
    }
}

# run_tests PRESET FOLDER CTEST_OPTION…: FOLDER is relative to the build folder.
run_tests() {
    local build="$root/build/$1" folder=$2 report status sums
    shift 2
    report="$build/report.xml"
    rm -rf "$build/reports" "$report"
    mkdir -p "$build/reports"
    GTEST_OUTPUT="xml:$build/reports/" ctest --test-dir "$build/$folder" --output-on-failure \
        --no-tests=error --output-junit "$report" "$@"
    status=$?
    if [ ! -f "$report" ]; then return 1; fi
    sums=$(python3 tests/support/summary.py "$report" "$build/reports") || return 1
    # shellcheck disable=SC2086
    set -- $sums
    passed=$((passed + $1)) failed=$((failed + $2)) skipped=$((skipped + $3))
    echo "$1 passed, $2 failed, $3 skipped in this part"
    return "$status"
}

sanitized() {
    local preset=$1 folder
    shift
    if [ $# -eq 0 ]; then
        build "$preset" && run_tests "$preset" . -L fast -j2
        return
    fi
    for folder in "$@"; do
        [ -f "tests/$folder/CMakeLists.txt" ] || continue
        build "$preset" "tests/$folder/all" && run_tests "$preset" "tests/$folder" -L fast -j2 || return 1
    done
}

# Names the files that clang-format would change; `clang-format-16 -i FILE` settles it.
formatting() {
    local names
    names=$(git ls-files '*.h' '*.cpp' | xargs clang-format-16 --dry-run --Werror 2>&1 |
        sed -n 's/^\([^:]*\):[0-9]*:[0-9]*: error:.*/not formatted: \1/p' | sort | uniq -c)
    if [ -z "$names" ]; then return 0; fi
    echo "$names"
    return 1
}

# Without a tag there is nothing to compare with; --nightly looks at every file.
tidy() {
    local files tag
    if [ "$mode" = nightly ]; then
        files=$(git ls-files 'engine/*.cpp' 'app/*.cpp')
    elif tag=$(git describe --tags --abbrev=0 2>/dev/null); then
        files=$(git diff --name-only --diff-filter=d "$tag" -- 'engine/*.cpp' 'app/*.cpp')
    else
        echo "NOT RUN: no tag to compare with; --nightly looks at all files."
        return 0
    fi
    [ -z "$files" ] && return 0
    xargs -P2 -n4 clang-tidy-16 -p build/release --quiet --warnings-as-errors='*' <<<"$files"
}

mkdir -p build
part "packages" packages
[ "$failed" -eq 0 ] || { finish; exit 1; }
part "release build" build release
if [ "$mode" = quick ]; then
    part "fast tests" run_tests release . -L fast -j2
    finish
    exit
fi
part "models" models
part "fast and window tests" run_tests release . -L 'fast|ui' -j2
part "model and end-to-end tests" run_tests release . -L 'model|e2e'
part "address and undefined-behaviour sanitizers" sanitized asan
part "thread sanitizer" sanitized tsan base loop chat
part "formatting" formatting
part "clang-tidy" tidy
finish
