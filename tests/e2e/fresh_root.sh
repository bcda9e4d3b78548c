#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Both commands of the README in a fresh Debian 12: debootstrap, a clone of this checkout, the installer,
# a question to the model, all tests, and the installer again. By hand, as root; not part of tests/run.sh.
#
#   tests/e2e/fresh_root.sh [DIR]      DIR is made, and removed at the end (KEEP=1 keeps it)
#
# The commit that is checked out is what is tested. Package sources are those of this machine.
# AGENS_FRESH_CCACHE=FOLDER lends it a compiler cache, where compiling is not what is being tried.
set -euo pipefail
[ "$(id -u)" -eq 0 ] || { echo "fresh_root: run this as root (chroot and mounts)." >&2; exit 1; }
checkout=$(cd "$(dirname "$0")/../.." && pwd)
target=$(realpath -m "${1:-/var/tmp/agens-fresh-root}")
[ ! -e "$target" ] || { echo "fresh_root: $target exists already." >&2; exit 1; }

clean_up() {
    local place
    for place in srv/.ccache dev/pts dev/shm dev sys proc; do
        if mountpoint -q "$target/$place"; then umount "$target/$place"; fi
    done
    # A mount that is still there must not be emptied by rm.
    if grep -q " $target/" /proc/mounts; then
        echo "fresh_root: something is still mounted below $target; left as it is." >&2
    elif [ -z "${KEEP:-}" ]; then
        rm -rf --one-file-system "$target"
    fi
}
trap clean_up EXIT

# shellcheck source=installer/packages.sh
. "$checkout/installer/packages.sh"
command -v debootstrap >/dev/null || install_now debootstrap

step() { printf '\n== %s (%d s)\n' "$1" "$SECONDS"; }
inside() { chroot "$target" env -i HOME=/srv PATH=/usr/sbin:/usr/bin:/sbin:/bin TERM=dumb LANG=C.UTF-8 "${proxies[@]}" "$@"; }

# How this machine reaches its package sources is taken over, nothing else of the environment.
proxies=()
for name in http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY PIP_INDEX_URL PIP_CERT SSL_CERT_FILE; do
    [ -z "${!name:-}" ] || proxies+=("$name=${!name}")
done

if [ -n "${AGENS_FRESH_CCACHE:-}" ]; then
    proxies+=(CCACHE_DIR=/srv/.ccache CCACHE_BASEDIR=/srv/agens CCACHE_NOHASHDIR=1)
fi

step "debootstrap"
# shellcheck disable=SC2016  # the format is for apt-get
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Codename: bookworm' 2>/dev/null | head -1)
debootstrap --variant=minbase --include=git,ca-certificates bookworm "$target" ${mirror:+"$mirror"}
for file in /etc/apt/sources.list /etc/apt/sources.list.d /etc/apt/apt.conf.d /etc/apt/keyrings /etc/pip.conf \
    /etc/ssl/certs /usr/local/share/ca-certificates /etc/resolv.conf; do
    [ ! -e "$file" ] || cp -aL --parents "$file" "$target" 2>/dev/null || true
done
mount -t proc proc "$target/proc"
mount -t sysfs sysfs "$target/sys"
mount --bind /dev "$target/dev"
mount --bind /dev/pts "$target/dev/pts"
mount -t tmpfs tmpfs "$target/dev/shm"
if [ -n "${AGENS_FRESH_CCACHE:-}" ]; then
    mkdir -p "$target/srv/.ccache"
    mount --bind "$AGENS_FRESH_CCACHE" "$target/srv/.ccache"
fi
# The trigger of man-db costs minutes and installs nothing.
inside sh -c 'echo "man-db man-db/auto-update boolean false" | debconf-set-selections' || true

step "clone"
git clone -q "$checkout" "$target/srv/agens"
shared=$(realpath -m "${AGENS_SHARED:-$checkout/../shared}")
if [ -d "$shared" ]; then
    mkdir -p "$target/srv/shared"
    cp -a "$shared/." "$target/srv/shared/"
fi

step "installer/run.sh"
inside /srv/agens/installer/run.sh
step "a question"
inside /srv/agens/build/release/bin/agens generate --temperature 0 --prompt 'What is the capital of France?' |
    tee "$target/srv/answer"
grep -q Paris "$target/srv/answer"
step "tests/run.sh"
inside /srv/agens/tests/run.sh
step "installer/run.sh again"
begin=$SECONDS
inside /srv/agens/installer/run.sh --headless
echo "second run of the installer: $((SECONDS - begin)) s"
[ $((SECONDS - begin)) -lt 60 ]
step "done"
