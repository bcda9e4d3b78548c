# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Sourced by installer/run.sh and tests/run.sh: ensure_packages SECTION… installs what is missing of
# those sections of installer/packages.txt.
#
# Nothing is asked of apt when dpkg already has everything. A stamp (hash of the list, newer than
# dpkg's own status file) makes even that question unnecessary. Root installs directly, others through
# sudo; without either the one line to type is printed and the exit status is 1.

packages_file="$(dirname "${BASH_SOURCE[0]}")/packages.txt"

# packages_of SECTION…: names, one a line.
packages_of() {
    local section
    for section in "$@"; do
        awk -v want="[$section]" '/^\[/ { inside = ($0 == want); next } inside && NF && !/^#/' "$packages_file"
    done
}

# Names from standard input that dpkg does not have installed.
missing_packages() {
    local names installed
    names=$(cat)
    # shellcheck disable=SC2086  # one word per package is meant
    installed=$(dpkg-query -W -f '${db:Status-Abbrev}${binary:Package}\n' $names 2>/dev/null |
        sed -n 's/^ii //p' | sed 's/:.*//')
    comm -23 <(sort -u <<<"$names") <(sort -u <<<"$installed")
}

install_now() {
    local as_root=()
    if [ "$(id -u)" -ne 0 ]; then
        if ! command -v sudo >/dev/null; then
            echo "These packages are missing. As root, run:" >&2
            echo "  apt-get install --no-install-recommends $*" >&2
            return 1
        fi
        as_root=(sudo)
    fi
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -q
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install -q -y --no-install-recommends "$@"
}

# ensure_packages STAMP_FOLDER SECTION…
ensure_packages() {
    local stamp_folder=$1 list stamp missing
    shift
    if ! command -v dpkg-query >/dev/null; then
        echo "This is not a Debian system. Install what $packages_file lists, then try again." >&2
        return 1
    fi
    list=$(packages_of "$@")
    stamp="$stamp_folder/packages-$(sha256sum <<<"$list" | cut -c1-16)"
    if [ "$stamp" -nt /var/lib/dpkg/status ]; then return 0; fi
    missing=$(missing_packages <<<"$list")
    if [ -n "$missing" ]; then
        # shellcheck disable=SC2086
        install_now $missing || return 1
    fi
    mkdir -p "$stamp_folder"
    touch "$stamp"
}
