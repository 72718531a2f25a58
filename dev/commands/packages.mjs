import { readFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "./child.mjs";
import { root } from "./root.mjs";
import { keepSaying, say } from "./say.mjs";

/**
 * Installs what package-lock.json names, when something else or nothing is installed.
 * One install serves running, building and testing: it takes about 20 seconds, and leaving the tools out saved hardly any.
 */
export async function installPackages() {
  if (arePackagesInstalled(root)) return say("packages", "are installed");
  say("packages", "installing, which takes half a minute or so the first time");
  const done = keepSaying("packages", "still installing");
  const code = await run("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], {
    // We bring no FFmpeg program and no browser: the library and Debian's Chromium are used.
    SKIP_FFMPEG: "true",
    PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: "1",
  });
  done();
  if (code !== 0) throw new Error(`npm ci ended with code ${code}; what it printed is above.`);
  say("packages", "installed");
}

/**
 * Compares package-lock.json with the copy npm leaves in node_modules as the last step of an install.
 * What the copy lacks may only be optional: made for another kind of machine.
 * @param {string} folder
 */
export function arePackagesInstalled(folder) {
  const wanted = packagesOf(join(folder, "package-lock.json"));
  const installed = packagesOf(join(folder, "node_modules/.package-lock.json"));
  if (!wanted || !installed) return false;
  return (
    Object.entries(wanted).every(([path, { optional }]) => path === "" || optional || path in installed) &&
    Object.entries(installed).every(([path, { version, integrity, link }]) => {
      const entry = wanted[path];
      return entry && (link || !integrity || (entry.version === version && entry.integrity === integrity));
    })
  );
}

/**
 * @param {string} file
 * @returns {Record<string, { version?: string, integrity?: string, optional?: boolean, link?: boolean }> | undefined}
 */
function packagesOf(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8")).packages;
  } catch {
    // Not there, or cut short: as good as not installed.
    return undefined;
  }
}
