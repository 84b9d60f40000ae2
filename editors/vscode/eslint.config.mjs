import eslint from "@eslint/js";
import tseslint from "typescript-eslint";

export default tseslint.config(
  { ignores: ["dist", "out", "node_modules", "e2e/out"] },
  eslint.configs.recommended,
  ...tseslint.configs.strict,
  ...tseslint.configs.stylistic,
  {
    files: ["**/*.mjs", "**/*.cjs", "e2e/host/index.js"],
    languageOptions: {
      globals: { process: "readonly", console: "readonly", require: "readonly", exports: "writable", URL: "readonly", setTimeout: "readonly", clearTimeout: "readonly", fetch: "readonly", URLSearchParams: "readonly", module: "writable", __dirname: "readonly" },
    },
    rules: { "@typescript-eslint/no-require-imports": "off" },
  },
);
