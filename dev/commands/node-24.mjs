import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "./root.mjs";

const OLDEST_MAJOR = 24;

/**
 * Finds a Node that runs TypeScript directly: the one that runs this command, the one that npm installed for this platform, or the one on
 * PATH. Puts it first on PATH for child processes.
 * @returns {string} the path of the program
 * @throws {Error} if there is none
 */
export function findNode24() {
  const installed = join(root, `node_modules/node-${process.platform}-${process.arch}/bin/node`);
  const node = isNewEnough(process.versions.node)
    ? process.execPath
    : [installed, "node"].find((path) => (path === "node" || existsSync(path)) && isNewEnough(versionOf(path)));
  if (!node) {
    throw new Error(
      `Terrarium needs Node ${OLDEST_MAJOR} or newer; this is ${process.version}. npm installs one for Linux on x64 and arm64; ` +
        `on ${process.platform} ${process.arch}, please install it from https://nodejs.org and try again.`,
    );
  }
  process.env.PATH = `${dirname(node)}:${join(root, "node_modules/.bin")}:${process.env.PATH}`;
  return node;
}

/** @param {string} path */
function versionOf(path) {
  const { stdout } = spawnSync(path, ["--version"], { encoding: "utf8" });
  return stdout?.trim().replace(/^v/, "") ?? "";
}

/** @param {string} version */
function isNewEnough(version) {
  return Number(version.split(".")[0]) >= OLDEST_MAJOR;
}
