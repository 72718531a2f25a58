import type { RemoteStat } from "@terrarium/adb";
import { devicePathOf } from "@terrarium/player";
import { neverOver, type OpenTool, recorded, runTool, type ToolDeps, ToolError } from "./tool.ts";

/** The most entries of a folder that a page is sent. */
const MAX_ENTRIES = 10_000;
const KIND = 0o170000;
const FOLDER = 0o040000;
const LINK = 0o120000;

const isKind = ({ mode }: Pick<RemoteStat, "mode">, kind: number): boolean => (mode & KIND) === kind;

/** Looks into folders, and deletes. Paths are words for the device alone: nothing here is a path of this machine. */
export const openFiles: OpenTool = async (deps) => ({
  over: neverOver,
  async answer({ what, said }) {
    const path = devicePathOf(said["path"]);
    if (path === undefined) throw new ToolError("invalid");
    if (what === "list") return list(deps, path);
    if (what === "delete")
      return recorded(deps, { action: "instance.delete_file", details: { path } }, remove(deps, path));
    throw new ToolError("invalid");
  },
});

async function list(deps: ToolDeps, path: string): Promise<object> {
  const { link, signal } = deps;
  const stat = await link.stat(path, signal);
  if (!stat) throw new ToolError("missing");
  // Without `stat_v2` a device does not follow links: `/sdcard` is one.
  if (!isKind(stat, FOLDER) && !isKind(stat, LINK)) throw new ToolError("notFolder");
  const all = await link.list(path, signal);
  if (all.length === 0) await mayLookInto(deps, path);
  const sorted = all.toSorted(
    (a, b) => Number(isKind(b, FOLDER)) - Number(isKind(a, FOLDER)) || (a.name < b.name ? -1 : 1),
  );
  const entries = sorted.slice(0, MAX_ENTRIES).map(({ name, mode, size, mtime }) => ({
    name,
    kind: isKind({ mode }, FOLDER) ? "folder" : isKind({ mode }, LINK) ? "link" : "file",
    size,
    mtime,
  }));
  return { entries, count: all.length };
}

/** A folder that may not be read is listed as an empty one; `ls` says why. */
async function mayLookInto(deps: ToolDeps, path: string): Promise<void> {
  const { exitCode, stderr, stdout } = await runTool(deps, ["ls", "-A", `${path}/`]);
  if (exitCode !== 0) throw new ToolError("refused", `${stderr}${stdout}`.trim());
}

async function remove(deps: ToolDeps, path: string): Promise<object> {
  // The device would be broken, which nobody means.
  if (path.lastIndexOf("/") === 0) throw new ToolError("invalid");
  // What is not there, which `rm -f` does not say, is not recorded as deleted.
  if ((await runTool(deps, ["ls", "-d", path])).exitCode !== 0) throw new ToolError("missing");
  const { exitCode, stdout, stderr } = await runTool(deps, ["rm", "-rf", path]);
  if (exitCode !== 0) throw new ToolError("refused", `${stderr}${stdout}`.trim());
  return {};
}

/** Sends one file, no faster than it is taken. */
export const openDownload: OpenTool = async ({ link, path, signal, send, onAct }) => {
  if (path === undefined) throw new ToolError("invalid");
  const stat = await link.stat(path, signal);
  if (!stat) throw new ToolError("missing");
  if (isKind(stat, FOLDER)) throw new ToolError("invalid");
  onAct({ action: "instance.download_file", details: { path, bytes: stat.size } });
  const sendAll = async () => {
    let sent = 0;
    for await (const bytes of link.pull(path, signal)) {
      await send(bytes);
      sent += bytes.length;
    }
    return { size: sent };
  };
  return { over: sendAll() };
};
