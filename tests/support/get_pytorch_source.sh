#!/bin/sh
# Unpacks Debian's source package of PyTorch 2.6.0 (27 MB to fetch, 158 MB unpacked) into DIR.
# Usage: get_pytorch_source.sh DIR     does nothing when DIR is complete already
# Asks the machine's own Debian mirror with its own keyring, and changes no system file.
set -eu
folder=${1:?usage: get_pytorch_source.sh DIR}
[ -f "$folder/.complete" ] && exit 0

mirror=$(sed -n 's/^URIs: *//p' /etc/apt/sources.list.d/debian.sources 2>/dev/null | head -n 1)
if [ -z "$mirror" ] && [ -f /etc/apt/sources.list ]; then
  mirror=$(sed -n 's/^deb  *\(\[[^]]*\] *\)\{0,1\}\([^ ]*\) .*/\2/p' /etc/apt/sources.list | head -n 1)
fi
if [ -z "$mirror" ]; then
  echo "get_pytorch_source.sh: no Debian mirror is configured here;" \
    "set MKLS_PYTORCH_TREE to a PyTorch 2.6.0 checkout" >&2
  exit 1
fi

parent=$(dirname "$folder")
work=$(mktemp -d "$parent/unpacking.XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/lists/partial" "$work/cache/archives/partial" "$work/parts" "$work/tree"
printf 'deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] %s trixie main\n' \
  "$mirror" > "$work/parts/trixie.list"
cat > "$work/apt.conf" <<CONF
Dir::Etc::sourcelist "/dev/null";
Dir::Etc::sourceparts "$work/parts";
Dir::State::Lists "$work/lists";
Dir::Cache "$work/cache";
APT::Sandbox::User "root";
CONF
export APT_CONFIG="$work/apt.conf"
apt-get update -qq
(cd "$work" && apt-get source -qq --download-only pytorch=2.6.0+dfsg-7)
tar -xf "$work"/pytorch_*.orig.tar.xz -C "$work/tree" --strip-components=1
touch "$work/tree/.complete"
# Two test runs at once both unpack; the first to arrive wins.
mv -T "$work/tree" "$folder" 2>/dev/null || [ -f "$folder/.complete" ]
