// The grammars live in grammars/textmate, for every editor; a package must hold its own copies.
import { cpSync, mkdirSync, readdirSync } from "node:fs";

const from = new URL("../../../grammars/textmate/", import.meta.url);
const to = new URL("../syntaxes/", import.meta.url);
mkdirSync(to, { recursive: true });
for (const name of readdirSync(from).filter((it) => it.endsWith(".tmLanguage.json"))) {
  cpSync(new URL(name, from), new URL(name, to));
}
