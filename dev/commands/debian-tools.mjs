import { existsSync } from "node:fs";
import { run } from "./child.mjs";
import { say } from "./say.mjs";

/** The Debian packages that the tests need, each with a file that shows it is installed. */
const TOOLS = [
  { name: "chromium", file: process.env.CHROMIUM_PATH ?? "/usr/bin/chromium" },
  { name: "adb", file: "/usr/bin/adb" },
];

/**
 * Installs the missing ones with apt-get if we are root, and otherwise prints what to install.
 * @returns {Promise<boolean>} whether all of them are installed now
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
