import { existsSync } from "node:fs";
import { join } from "node:path";
import { run } from "./child.mjs";
import { installDebianTools } from "./debian-tools.mjs";
import { findNode24 } from "./node-24.mjs";
import { installPackages } from "./packages.mjs";
import { root } from "./root.mjs";
import { say } from "./say.mjs";
import { runTests } from "./tests.mjs";
import { buildWeb } from "./web-build.mjs";

/** Takes one processor for as long as the other checks take the other. */
const FORMAT = {
  name: "format",
  args: ["node_modules/prettier/bin/prettier.cjs", "--check", "--log-level", "warn", "."],
};
/** The other checks: scripts that exit with 0 if they pass, the fastest first. */
const SCRIPTS = [
  { name: "directions", args: ["dev/directions.ts"] },
  { name: "licences", args: ["dev/licences.ts"] },
  { name: "openapi", args: ["dev/openapi.ts"] },
  { name: "wire", args: ["dev/wire.ts"] },
  { name: "settings", args: ["dev/settings.ts"] },
  { name: "lint", args: ["node_modules/oxlint/bin/oxlint", "--type-aware", "--quiet"] },
  { name: "types", args: ["node_modules/typescript/bin/tsc", "-p", "."] },
];
const WEB_SIZE = { name: "web size", args: ["apps/web/bundle-size.ts"] };

/**
 * Runs every check and every test, or only the tests whose path has a word, and ends with the line
 * `N passed, N failed, N skipped`, in which a check counts as one test.
 * @param {string} [word]
 * @returns {Promise<number>} the exit code
 */
export async function runChecks(word) {
  await installPackages();
  const node = findNode24();
  /** @param {{ name: string, args: readonly string[] }} script */
  const check = ({ name, args }) => runCheck(name, async () => (await run(node, args)) === 0);

  const results = [await runCheck("tools", installDebianTools)];
  if (!word) {
    const format = check(FORMAT);
    for (const script of SCRIPTS) results.push(await check(script));
    results.push(await format);
    results.push(await runCheck("web", () => buildWeb(node).then(() => true)));
    if (existsSync(join(root, WEB_SIZE.args[0] ?? ""))) results.push(await check(WEB_SIZE));
  }
  results.push({ name: "tests", ...(await runTests(node, word)) });

  const failed = results.filter((result) => result.failed > 0).map(({ name }) => name);
  if (failed.length > 0) console.log(`\nFailed: ${failed.join(", ")}`);
  /** @param {"passed" | "failed" | "skipped"} key */
  const sum = (key) => results.reduce((total, result) => total + result[key], 0);
  console.log(`${sum("passed")} passed, ${sum("failed")} failed, ${sum("skipped")} skipped`);
  return failed.length > 0 ? 1 : 0;
}

/**
 * @param {string} name
 * @param {() => Promise<boolean>} work resolves to whether it passed
 */
async function runCheck(name, work) {
  say(name, "...");
  const passed = await work().catch((error) => {
    console.error(error instanceof Error ? error.message : String(error));
    return false;
  });
  say(name, passed ? "passed" : "FAILED");
  return { name, passed: passed ? 1 : 0, failed: passed ? 0 : 1, skipped: 0 };
}
