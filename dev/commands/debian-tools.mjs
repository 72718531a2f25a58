import { existsSync } from "node:fs";
import { run } from "./child.mjs";
import { say } from "./say.mjs";

/** What the tests use besides npm's packages: the Debian package, and the file that shows it is there. */
const TOOLS = [
  { name: "chromium", file: process.env.CHROMIUM_PATH ?? "/usr/bin/chromium" },
  { name: "adb", file: "/usr/bin/adb" },
];

/**
 * Installs the missing ones with apt-get, which takes root.
 * @returns {Promise<boolean>} whether all of them are there now; what to do about it was printed if not
 */
export async function installDebianTools() {
  const missing = TOOLS.filter(({ file }) => !existsSync(file)).map(({ name }) => name);
  if (missing.length === 0) return true;
  const isDebianRoot = process.getuid?.() === 0 && existsSync("/usr/bin/apt-get");
  if (!isDebianRoot) {
    say("tools", `the tests need ${missing.join(" and ")}: sudo apt-get install ${missing.join(" ")}`);
    return false;
  }
  say("tools", `installing ${missing.join(" and ")} with apt-get`);
  const env = { DEBIAN_FRONTEND: "noninteractive" };
  await run("apt-get", ["update", "-qq"], env);
  const code = await run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", ...missing], env);
  say("tools", code === 0 ? "installed" : `apt-get ended with code ${code}`);
  return code === 0;
}
