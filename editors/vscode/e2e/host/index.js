// Runs inside the extension host of a real VS Code (`extensionTestsPath`): the suites that
// MKLS_SUITE names, each a module that exports its tests by name.
const path = require("node:path");

exports.run = async function () {
  const tests = require(path.join(__dirname, `${process.env.MKLS_SUITE}.cjs`));
  let failed = 0;
  for (const [name, body] of Object.entries(tests)) {
    try {
      await body();
      console.log(`ok ${name}`);
    } catch (error) {
      failed += 1;
      console.log(`FAIL ${name}: ${error.stack}`);
    }
  }
  const count = Object.keys(tests).length;
  console.log(`${count - failed} passed, ${failed} failed`);
  if (failed || !count) throw new Error(`${failed} failed`);
};
