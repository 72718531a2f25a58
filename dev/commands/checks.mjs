import { run } from "./child.mjs";
import { installDebianTools } from "./debian-tools.mjs";
import { findNode24 } from "./node-24.mjs";
import { installPackages } from "./packages.mjs";
import { say } from "./say.mjs";
import { runTests } from "./tests.mjs";
import { buildWeb } from "./web-build.mjs";

const FORMAT = { name: "format", args: ["node_modules/oxfmt/bin/oxfmt", "--check"] };
/** The other checks: scripts that exit with 0 if they pass, the fastest first. */
const SCRIPTS = [
  { name: "directions", args: ["dev/directions.ts"] },
  { name: "licences", args: ["dev/licences.ts"] },
  { name: "lists", args: ["dev/compose.ts"] },
  { name: "openapi", args: ["dev/openapi.ts"] },
  { name: "wire", args: ["dev/wire.ts"] },
  { name: "settings", args: ["dev/settings.ts"] },
  // The rules ask for types, so that the types can be checked in passing.
  { name: "lint, types", args: ["node_modules/oxlint/bin/oxlint", "--type-aware", "--type-check", "--quiet"] },
];
const WEB_SIZE = { name: "web size", args: ["apps/web/bundle-size.ts"] };

/**
 * Runs every check and every test, or only the tests whose path has a word, and ends with the line
 * `N passed, N failed, N skipped`, in which a check counts as one test.
 * @param {string} [word]
 * @returns {Promise<number>} the exit code
 */
export async function runChecks(word) {
  // Debian's packages are needed by the tests only.
  const tools = runCheck("tools", installDebianTools);
  await installPackages();
  const node = findNode24();
  /** @param {{ name: string, args: readonly string[] }} script */
  const check = ({ name, args }) => runCheck(name, async () => (await run(node, args)) === 0);

  /** @type {{ name: string, passed: number, failed: number, skipped: number }[]} */
  const results = [];
  if (!word) {
    const others = inTurn(SCRIPTS.map((script) => () => check(script)));
    results.push(
      ...(await inTurn([
        () => check(FORMAT),
        () => runCheck("web", () => buildWeb(node).then(() => true)),
        () => check(WEB_SIZE),
      ])),
    );
    results.push(...(await others));
  }
  results.push(await tools);
  results.push({ name: "tests", ...(await runTests(node, word)) });

  const failed = results.filter((result) => result.failed > 0).map(({ name }) => name);
  if (failed.length > 0) console.log(`\nFailed: ${failed.join(", ")}`);
  /** @param {"passed" | "failed" | "skipped"} key */
  const sum = (key) => results.reduce((total, result) => total + result[key], 0);
  console.log(`${sum("passed")} passed, ${sum("failed")} failed, ${sum("skipped")} skipped`);
  return failed.length > 0 ? 1 : 0;
}

/**
 * @template Result
 * @param {(() => Promise<Result>)[]} works
 */
async function inTurn(works) {
  /** @type {Result[]} */
  const results = [];
  for (const work of works) results.push(await work());
  return results;
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
