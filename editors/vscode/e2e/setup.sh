#!/usr/bin/env bash
# Installs code-server (VS Code in a browser), the Node.js that it needs, and what drives Chromium.
# Usage: bash setup.sh FOLDER     FOLDER keeps node_modules; Chromium comes from the system.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=${1:?the folder to install into}
mkdir -p "$folder"
cp "$here/package.json" "$folder/"
[ -f "$here/package-lock.json" ] && cp "$here/package-lock.json" "$folder/"
cd "$folder"

# Scripts of packages are not run: most would compile native modules that no test needs. Of those
# that are left, `node` fetches its program by a script, and code-server unpacks itself by one.
npm install --no-audit --no-fund --ignore-scripts --loglevel=error
npm rebuild --loglevel=error node
export PATH="$folder/node_modules/.bin:$PATH"
cd node_modules/code-server
if [ ! -d lib/vscode/node_modules ]; then
  npm_config_ignore_scripts=true npm_config_user_agent="npm/11 node/v24.21.0 linux x64" \
    sh ./postinstall.sh > /dev/null
  (cd lib/vscode && npm rebuild --loglevel=error @vscode/spdlog @vscode/native-watchdog > /dev/null)
fi
echo "code-server $(node out/node/entry.js --config /dev/null --version 2>/dev/null | tail -1)"
