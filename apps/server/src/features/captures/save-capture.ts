import type { Clock } from "@terrarium/clock";
import { AppError, type Capture, type CaptureKind, limits } from "@terrarium/contract";
import { randomUUID } from "node:crypto";
import type { Database } from "../../database/schema.ts";
import { transaction } from "../../platform/db/transaction.ts";
import type { By } from "../audit/by.ts";
import { type CaptureDeps, captureKey, presentCapture, shareOf } from "./captures.ts";
import {
  deleteCapture,
  findCapture,
  findDevice,
  insertCapture,
  lockOrganization,
  type Owner,
  sumBytes,
  updateCapture,
} from "./captures.store.ts";

/** What is reserved at once, so that captures that are written at the same time share what is left. */
const STEP_BYTES = 16 * 1024 ** 2;

export interface SaveDeps extends CaptureDeps {
  clock: Clock;
}

/** What is about to be captured, and by whom. */
export interface CaptureStart {
  instance: string;
  user: string;
  /** The session or the API token that they came with. */
  credential: string;
  kind: CaptureKind;
}

/** What is known about a capture when all of it is there. */
interface CaptureFacts {
  width: number;
  height: number;
  /** Null for a picture. */
  durationMs: number | null;
}

export interface SaveOptions {
  /** Asked for when `content` has ended. */
  facts: () => CaptureFacts;
  /** Called once if there is no room for more: the content has to end, and what still comes is taken. Without it, saving fails. */
  onFull?: () => void;
  signal?: AbortSignal;
}

/** A capture that has room, and whose bytes are on their way. */
export interface OpenedCapture {
  uuid: string;
  /**
   * Resolves when it is stored. Nothing is left of one that fails.
   * @throws CAPTURES_FULL; FileTooLargeError; whatever the content throws
   */
  save(content: AsyncIterable<Uint8Array>, options: SaveOptions): Promise<Capture>;
  /** There is nothing to store. */
  drop(): Promise<void>;
}

const mediaTypes = { screenshot: "image/png", recording: "video/mp4", replay: "video/mp4" } as const;

/**
 * Makes room for a capture of a device before anything is done for it. It is there for its owner once it is saved, and until they delete it
 * or their account ends.
 * @throws CAPTURES_FULL; INSTANCE_NOT_FOUND
 */
export async function openCapture(deps: SaveDeps, start: CaptureStart): Promise<OpenedCapture> {
  const { db, clock, files } = deps;
  const { instance, user, credential, kind } = start;
  const device = await findDevice(db, instance, credential);
  if (!device) throw new AppError("INSTANCE_NOT_FOUND");
  const { organization_uuid: organization } = device;
  const uuid = randomUUID();
  const row = {
    uuid,
    organization_uuid: organization,
    user_uuid: user,
    instance_uuid: instance,
    instance_name: device.name,
    kind,
    media_type: mediaTypes[kind],
    created_at: new Date(clock.now()),
  };
  const by: By = { kind: device.is_session ? "user" : "token", user, credential, organization };
  const room = await transaction(db, async (trx) => {
    const { room, bound } = await roomOf(deps, trx, { user, organization });
    if (room <= 0) throw isFull(bound);
    await insertCapture(trx, { ...row, bytes: Math.min(room, STEP_BYTES) });
    return room;
  });
  const drop = async () => void (await deleteCapture(db, uuid));

  return {
    uuid,
    drop,
    async save(content, { facts, onFull, signal }) {
      const reserve = reserver(deps, { uuid, owner: { user, organization }, reserved: Math.min(room, STEP_BYTES) });
      try {
        const counted = withRoom(content, reserve, onFull ?? ((bound) => Promise.reject(isFull(bound))));
        const options = { maxBytes: MAX_BYTES, ...(signal && { signal }) };
        const { size } = await files.put(captureKey(uuid), counted, options);
        return await transaction(db, async (trx) => {
          const { width, height, durationMs } = facts();
          const change = { bytes: size, width, height, duration_ms: durationMs, is_whole: true };
          await updateCapture(trx, uuid, change);
          const saved = await findCapture(trx, { user, organization }, uuid);
          // Its owner's account has ended since; the file goes with the next collection.
          if (!saved) throw new AppError("CAPTURE_NOT_FOUND");
          const subject = { kind: "capture", uuid } as const;
          const details = { kind, bytes: size, instance };
          await deps.audit.record(trx, by, { action: "capture.create", subject, organization, details });
          return presentCapture(saved);
        });
      } catch (error) {
        await drop();
        throw error;
      }
    },
  };
}

/** Of any capture: a recording has ended before, and its index is a few megabytes. */
const MAX_BYTES = limits.recordingBytes + 64 * 1024 ** 2;

const isFull = (bound: number): AppError => new AppError("CAPTURES_FULL", { details: { max_bytes: String(bound) } });

/** What somebody may still use, less than nothing when their share has become smaller; and of what that is the rest: their share or all. */
async function roomOf({ maxCaptureBytes }: SaveDeps, trx: Database, owner: Required<Owner>) {
  await lockOrganization(trx, owner.organization);
  const { all, own, has_colleagues } = await sumBytes(trx, owner);
  const share = shareOf(maxCaptureBytes, has_colleagues);
  const [room, ownRoom] = [maxCaptureBytes - all, share - own];
  return ownRoom < room ? { room: ownRoom, bound: share } : { room, bound: maxCaptureBytes };
}

/** Reserves room for as many bytes in all, with some more. Resolves with the bound that is met if there is none. */
function reserver(
  deps: SaveDeps,
  { uuid, owner, reserved }: { uuid: string; owner: Required<Owner>; reserved: number },
): (bytes: number) => Promise<number | undefined> {
  let held = reserved;
  return async (bytes) => {
    if (bytes <= held) return undefined;
    return transaction(deps.db, async (trx) => {
      const { room, bound } = await roomOf(deps, trx, owner);
      const wanted = Math.min(bytes + STEP_BYTES, held + room);
      if (wanted < bytes) return bound;
      await updateCapture(trx, uuid, { bytes: wanted });
      held = wanted;
      return undefined;
    });
  };
}

async function* withRoom(
  content: AsyncIterable<Uint8Array>,
  reserve: (bytes: number) => Promise<number | undefined>,
  onFull: (bound: number) => void | Promise<never>,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  let met: number | undefined;
  for await (const part of content) {
    bytes += part.length;
    if (met === undefined) {
      met = await reserve(bytes);
      if (met !== undefined) await onFull(met);
    }
    yield part;
  }
}
