import type { Capture, CaptureKind } from "@terrarium/contract";
import type { TestApp } from "../../../testing/app.ts";
import { openCapture } from "../save-capture.ts";

/** Somebody who can start devices. */
type Person = Pick<Awaited<ReturnType<TestApp["as"]>>, "user" | "start">;

interface Made {
  kind?: CaptureKind;
  bytes?: number;
  durationMs?: number | null;
  /** What it is called, if it is a new one. */
  device?: { instance_name?: string };
  /** The uuid of one that is there. */
  instance?: string;
}

/** Saves a capture of somebody's own device, as a gateway does. */
export async function aCapture(
  { saving }: Pick<TestApp, "saving">,
  { user, start }: Person,
  { kind = "screenshot", bytes = 4, durationMs = null, device, instance }: Made = {},
): Promise<Capture> {
  const of = instance ?? (await start(device)).json<{ uuid: string }>().uuid;
  const opened = await openCapture(saving, { instance: of, user: user.uuid, credential: user.uuid, kind });
  return opened.save(contentOf(bytes), { facts: () => ({ width: 1080, height: 2400, durationMs }) });
}

/** As many bytes, a megabyte at a time. */
export async function* contentOf(bytes: number): AsyncGenerator<Uint8Array> {
  const PART = 1024 ** 2;
  for (let left = bytes; left > 0; left -= PART) yield new Uint8Array(Math.min(left, PART)).fill(7);
}
