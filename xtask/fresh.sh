#!/usr/bin/env bash
# Runs a task in an empty Debian 12 that has Rust and what Rust itself needs to link (gcc and libc6-dev), nothing else.
# The machine lends its kernel, its Rust toolchain (read-only) and its way to the network; the system is new.
# usage (as root): xtask/fresh.sh FOLDER TASK [ARGUMENT...]     FOLDER is made, and removed first when it exists
set -euo pipefail
folder=$1
shift
checkout=home/dev/pellucid

# Nothing is mounted below the folder outside the namespace made further down, so this can't leave it.
rm -rf --one-file-system "$folder"
mkdir -p "$folder"

# The mirror and apt's ways of fetching are the machine's own.
mirror=$(apt-get indextargets --format '$(CREATED_BY) $(RELEASE) $(COMPONENT) $(REPO_URI)' |
    awk '$1 == "Packages" && $2 == "bookworm" && $3 == "main" { print $4; exit }')
[ -n "$mirror" ] || { echo "apt's sources on this machine hold no main component of bookworm" >&2; exit 3; }
apt-config dump | grep '^Acquire::' >"$folder.apt.conf"
trap 'rm -f "$folder.apt.conf"' EXIT

echo "== an empty Debian 12"
mmdebstrap --quiet --variant=minbase --include=gcc,libc6-dev,ca-certificates --aptopt="$folder.apt.conf" \
    bookworm "$folder" "deb $mirror bookworm main"

echo "== a checkout of $(git rev-parse --short HEAD)"
mkdir -p "$folder/${checkout%/*}" "$folder/opt/rust"
git clone --quiet --no-hardlinks . "$folder/$checkout"

# How names are resolved, who is trusted, and where pip and cargo look: as on this machine.
for file in /etc/resolv.conf /etc/hosts /etc/pip.conf /etc/ssl/certs/ca-certificates.crt; do
    [ -e "$file" ] && cp -L "$file" "$folder$file"
done
for name in config.toml config; do
    [ -e "${CARGO_HOME:-$HOME/.cargo}/$name" ] &&
        mkdir -p "$folder/home/dev/.cargo" && cp "${CARGO_HOME:-$HOME/.cargo}/$name" "$folder/home/dev/.cargo/"
done
environment=()
for name in http_proxy https_proxy no_proxy PIP_INDEX_URL PIP_CERT SSL_CERT_FILE; do
    [ -n "${!name:-}" ] && environment+=("$name=${!name}")
done

echo "== cargo xtask $*"
sysroot=$(rustc --print sysroot)
start=$SECONDS
# shellcheck disable=SC2016 # the inner shell expands these
unshare --mount --pid --fork --kill-child bash -euc '
    folder=$1 sysroot=$2
    shift 2
    mount -t proc proc "$folder/proc"
    mount --rbind /dev "$folder/dev"
    mount -t tmpfs tmpfs "$folder/tmp"
    mount --bind "$sysroot" "$folder/opt/rust"
    mount -o remount,bind,ro "$folder/opt/rust"
    exec chroot "$folder" env -i "$@"
' fresh "$folder" "$sysroot" \
    PATH=/opt/rust/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/home/dev LANG=C.UTF-8 \
    "${environment[@]}" \
    bash -euc 'cd "/$1"; shift; . /etc/os-release; echo "$PRETTY_NAME; $(rustc --version); $(dpkg -l | grep -c ^ii) packages; $(nproc) cores, load $(cut -d" " -f1-3 /proc/loadavg)"; cargo xtask "$@"
        echo "== once more, and a look at the machine"; cargo xtask setup; cargo xtask doctor' \
    task "$checkout" "$@"
echo "== done in $((SECONDS - start)) s"
if [ -e "$folder/$checkout/out/room.png" ]; then
    (cd "$folder/$checkout" && ls -l out/ && sha256sum out/room.png)
fi
