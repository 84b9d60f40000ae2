// What a user sees, in the real workbench. Each scene waits for what it is about, then takes a picture.
import path from "node:path";

const YAML = "aten/src/ATen/native/native_functions.yaml";
const UNARY = "aten/src/ATen/native/mps/kernels/UnaryKernel.metal";
const BINARY = "aten/src/ATen/native/mps/kernels/BinaryKernel.metal";

async function opened({ server, root, theme }, name) {
  const payload = [["openFile", server.remote(path.join(root, name))]];
  const page = await server.open(root, { payload, theme });
  await page.waitForSelector(`.tab[data-resource-name="${path.basename(name)}"]`, { timeout: 30_000 });
  await page.waitForSelector(".view-lines .view-line");
  return page;
}

async function command(page, title) {
  await page.keyboard.press("F1");
  await page.waitForSelector(".quick-input-widget input");
  await page.keyboard.type(title, { delay: 5 });
  await page.waitForSelector(`.quick-input-list .monaco-list-row[aria-label*="${title}"]`);
  await page.keyboard.press("Enter");
}

export const SCENES = {
  async problems(stage) {
    const page = await opened(stage, YAML);
    await page.waitForSelector(".squiggly-warning, .squiggly-error", { timeout: 60_000 });
    await page.keyboard.press("Control+Shift+m");
    await page.waitForSelector('.markers-panel .monaco-list-row:has-text("delegates to")', { timeout: 30_000 });
    await stage.shot(page, "scene-problems");
    await page.context().close();
  },

  async fix(stage) {
    const page = await opened(stage, BINARY);
    const mistake = await page.waitForSelector(".squiggly-error", { timeout: 60_000 });
    const box = await mistake.boundingBox();
    await page.mouse.click(box.x + 5, box.y + 5);
    await page.keyboard.press("Control+.");
    await page.waitForSelector('.action-widget .monaco-list-row:has-text("Remove the second registration")', { timeout: 30_000 });
    await stage.shot(page, "scene-fix");
    await page.context().close();
  },

  async run(stage) {
    const page = await opened(stage, UNARY);
    await page.locator('.codelens-decoration a:has-text("▶ Run")').first().click({ timeout: 60_000 });
    await page.waitForSelector('.codelens-decoration a:has-text("✗")', { timeout: 120_000 });
    await page.waitForSelector(".squiggly-error", { timeout: 30_000 });
    await stage.shot(page, "scene-run");
    await command(page, "Testing: Focus on Test Explorer View");
    const file = page.locator('.test-explorer .monaco-list-row:has-text("UnaryKernel.metal")').first();
    await file.click({ timeout: 30_000 });
    await page.keyboard.press("ArrowRight");
    await page.waitForSelector('.test-explorer .monaco-list-row:has-text("softsign_dense")', { timeout: 30_000 });
    await stage.shot(page, "scene-tests");
    await page.context().close();
  },
};
