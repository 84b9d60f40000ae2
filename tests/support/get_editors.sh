#!/usr/bin/env bash
# Installs the editors that tests/e2e drive: Emacs with Eglot, tmux, and Helix.
# Usage: bash tests/support/get_editors.sh FOLDER     (needs root on Debian; FOLDER/bin then has `hx`)
#
# Helix is in Debian from release 13 on. On an older one, its package and the C library that it needs
# are unpacked into FOLDER, beside the system's own; apt verifies them like any other.
set -euo pipefail
folder=$(mkdir -p "$1" && cd "$1" && pwd)
export DEBIAN_FRONTEND=noninteractive
has() { apt-cache show "$1" >/dev/null 2>&1; }

apt-get update -qq
wanted=(emacs-nox tmux)
if has elpa-eglot; then wanted+=(elpa-eglot); fi # Emacs 29 has Eglot itself
if has hx; then wanted+=(hx); fi
apt-get install -y -qq --no-install-recommends "${wanted[@]}" >/dev/null
if has hx; then exit 0; fi
if [ -x "$folder/bin/hx" ]; then exit 0; fi

mkdir -p "$folder"/{sources,lists/partial,cache/archives/partial,unpacked,bin}
. /etc/os-release
sed "s/$VERSION_CODENAME/trixie/g" /etc/apt/sources.list.d/debian.sources >"$folder/sources/trixie.sources"
apt=(-o Dir::Etc::SourceList=/dev/null -o "Dir::Etc::SourceParts=$folder/sources"
  -o "Dir::State::Lists=$folder/lists" -o Dir::State::status=/dev/null -o "Dir::Cache=$folder/cache"
  -o APT::Install-Recommends=false -o APT::Sandbox::User=root)
apt-get "${apt[@]}" -qq update
apt-get "${apt[@]}" -qq -y --download-only install hx >/dev/null
for package in "$folder"/cache/archives/*.deb; do dpkg-deb -x "$package" "$folder/unpacked"; done
loader=$(find "$folder/unpacked" -name 'ld-linux-*.so.*' -type f | head -1)
cat >"$folder/bin/hx" <<END
#!/bin/sh
HELIX_RUNTIME=\${HELIX_RUNTIME:-$folder/unpacked/usr/lib/hx/runtime}
export HELIX_RUNTIME
exec "$loader" --library-path "$(dirname "$loader")" "$folder/unpacked/usr/lib/hx/hx" "\$@"
END
chmod +x "$folder/bin/hx"
rm -rf "$folder"/{cache,lists}
"$folder/bin/hx" --version
