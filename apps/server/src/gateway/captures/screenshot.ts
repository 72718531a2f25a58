import { within } from "@terrarium/clock";
import type { Capture } from "@terrarium/contract";
import type { OpenedCapture } from "../../features/captures/save-capture.ts";
import { COMMAND_TIMEOUT_MS, type ToolDeps, ToolError } from "../tools/tool.ts";

/** Several times what a large screen of noise takes. */
const MAX_BYTES = 64 * 1024 ** 2;
/** Of what it says beside that. */
const MAX_WORDS_BYTES = 64 * 1024;
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Of the header, which comes first, up to the height. */
const HEADER_BYTES = 24;

/** The links of devices whose screenshot is taken: each is in memory until it is saved. */
const taking = new WeakSet<object>();

/**
 * Saves what the device itself says is on its screen, in full size. @throws CAPTURES_FULL; ToolError `refused`, `busy` while another is
 * saved
 */
export async function saveScreenshot(deps: ToolDeps, open: () => Promise<OpenedCapture>): Promise<Capture> {
  if (taking.has(deps.link)) throw new ToolError("busy");
  taking.add(deps.link);
  return await takeAndSave(deps, open).finally(() => taking.delete(deps.link));
}

async function takeAndSave(deps: ToolDeps, open: () => Promise<OpenedCapture>): Promise<Capture> {
  const capture = await open();
  try {
    const png = await within(COMMAND_TIMEOUT_MS, deps.clock, deps.signal, (signal) => takePng({ ...deps, signal }));
    const size = { width: png.readUInt32BE(16), height: png.readUInt32BE(20) };
    return await capture.save(oneOf(png), { facts: () => ({ ...size, durationMs: null }) });
  } catch (error) {
    await capture.drop();
    throw error;
  }
}

async function takePng({ link, signal }: Pick<ToolDeps, "link" | "signal">): Promise<Buffer> {
  const process = await link.spawn(["screencap", "-p"], { signal });
  const [png, words] = await Promise.all([read(process.stdout, MAX_BYTES), read(process.stderr, MAX_WORDS_BYTES)]);
  await process.exit;
  if (png.length < HEADER_BYTES || !png.subarray(0, SIGNATURE.length).equals(SIGNATURE))
    throw new ToolError("refused", words.toString().trim() || undefined);
  return png;
}

async function read(output: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of output) {
    bytes += part.length;
    if (bytes > maxBytes) throw new ToolError("failed");
    parts.push(part);
  }
  return Buffer.concat(parts);
}

async function* oneOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
