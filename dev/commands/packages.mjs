import { readFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "./child.mjs";
import { root } from "./root.mjs";
import { sayRepeatedly, say } from "./say.mjs";

/**
 * Installs the packages of package-lock.json, unless exactly those are installed. Development packages are included: without them the
 * install, some 20 seconds, would hardly be faster.
 */
export async function installPackages() {
  if (arePackagesInstalled(root)) return say("packages", "already installed");
  say("packages", "installing (about half a minute the first time)");
  const done = sayRepeatedly("packages", "still installing");
  const code = await run("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], {
    // Skip the downloads of FFmpeg's program and of browsers: we use its library, and Debian's Chromium.
    SKIP_FFMPEG: "true",
    PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: "1",
  });
  done();
  if (code !== 0) throw new Error(`npm ci failed with exit code ${code}; see its output above.`);
  say("packages", "installed");
}

/**
 * Compares package-lock.json with the copy that npm writes to node_modules as the last step of an install. Only optional packages, for
 * other platforms, may be missing from the copy.
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
    // Missing or truncated, so the install did not finish.
    return undefined;
  }
}
