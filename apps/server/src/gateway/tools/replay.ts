import { clipFile } from "../replay/clip-file.ts";
import type { Clip } from "../replay/replay.ts";
import { neverOver, type OpenTool, type ToolCaptures, type ToolDeps, ToolError } from "./tool.ts";

/** Of one device at once: each holds the pictures of its moment for as long as its page is open. */
const MAX_OPEN = 2;

const open = new WeakMap<object, number>();

/** What had just happened when this was opened, as an MP4 with its story in it: sends it, and saves it as a capture. */
export const openReplay: OpenTool = async (deps) => {
  const { replay, signal } = deps;
  const before = open.get(replay) ?? 0;
  if (before >= MAX_OPEN) throw new ToolError("busy");
  const clip = replay.clip();
  if (!clip) throw new ToolError("missing");
  open.set(replay, before + 1);
  signal.addEventListener("abort", () => open.set(replay, (open.get(replay) ?? 1) - 1), { once: true });
  return {
    over: neverOver,
    async answer({ what }) {
      if (what === "read") return { size: await send(clip, deps) };
      if (what === "save") return { capture: await saveClip(clip, deps) };
      throw new ToolError("invalid");
    },
  };
};

/** What has just happened, without the video: JSON, the `ReplayStory`, after which it ends. For programs, which read rather than watch. */
export const openStory: OpenTool = async ({ replay, send: sendBytes }) => {
  const story = Buffer.from(JSON.stringify(replay.story()));
  return { over: sendBytes(story).then(() => ({ size: story.length })) };
};

async function send(clip: Clip, deps: ToolDeps): Promise<number> {
  let size = 0;
  for (const bytes of clipFile(clip)) {
    size += bytes.length;
    await deps.send(bytes);
  }
  return size;
}

/** It is saved even if the page is closed meanwhile. */
async function saveClip(clip: Clip, { captures }: ToolDeps): Promise<object> {
  if (!captures) throw new ToolError("unsupported");
  const saving = save(clip, captures);
  captures.onSaving(saving);
  return saving;
}

async function save(clip: Clip, { maker, open: openCapture }: ToolCaptures): Promise<object> {
  const capture = await openCapture({ ...maker, kind: "replay" });
  const { width = 0, height = 0 } = clip.pictures[0]?.size ?? {};
  const facts = () => ({ width, height, durationMs: Math.round(clip.story.duration_ms) });
  return capture.save(inTurn(clipFile(clip)), { facts });
}

async function* inTurn(pieces: Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* pieces;
}
