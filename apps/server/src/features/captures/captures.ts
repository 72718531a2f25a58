import { AppError, type Capture, type Contract, type Paging, type Received } from "@terrarium/contract";
import type { Database } from "../../database/schema.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { FileNotFoundError, type FileStore } from "../../platform/files/file-store.ts";
import { windowOf } from "../../platform/http/pages.ts";
import type { Audit } from "../audit/audit.ts";
import type { By } from "../audit/by.ts";
import { type CaptureRow, deleteCapture, findCapture, listCaptures, type Owner, sumBytes } from "./captures.store.ts";

export interface CaptureDeps {
  db: Database;
  audit: Audit;
  files: FileStore;
  /** What the captures of an organization may have. */
  maxCaptureBytes: number;
}

export const captureFolder = "captures";
export const captureKey = (uuid: string): string => `${captureFolder}/${uuid}`;

export interface Maker {
  uuid: string;
  organization: string;
}

/** One's own captures: what is in them is for nobody else. */
export const ownOf = ({ uuid: user, organization }: Maker): Required<Owner> => ({ user, organization });

/** What one person may use of an organization's room. Where there are others, half of it: nobody fills it for all. */
export const shareOf = (maxCaptureBytes: number, hasColleagues: boolean): number =>
  hasColleagues ? Math.floor(maxCaptureBytes / 2) : maxCaptureBytes;

/** A page of captures, and how much room somebody and their organization have. */
export async function getCaptures(
  { db, maxCaptureBytes }: CaptureDeps,
  { owner, me }: { owner: Owner; me: Required<Owner> },
  query: Received<Contract["captures"]["list"]>["query"] & Paging,
) {
  const [{ count, results }, { all, own, has_colleagues }] = await Promise.all([
    listCaptures(db, owner, query, windowOf(query)),
    sumBytes(db, me),
  ]);
  return {
    count,
    results: results.map(presentCapture),
    used_bytes: all,
    max_bytes: maxCaptureBytes,
    own_bytes: own,
    own_max_bytes: shareOf(maxCaptureBytes, has_colleagues),
  };
}

/** @throws CAPTURE_NOT_FOUND, also for those of colleagues */
export async function getCapture({ db }: CaptureDeps, owner: Owner, uuid: string): Promise<Capture> {
  return presentCapture(await ownCapture(db, owner, uuid));
}

/** Its file, as it is sent. @throws CAPTURE_NOT_FOUND */
export async function openCaptureFile({ db, files }: CaptureDeps, owner: Owner, uuid: string) {
  const capture = await ownCapture(db, owner, uuid);
  const content = await files.get(captureKey(uuid)).catch((error: unknown) => {
    throw error instanceof FileNotFoundError ? new AppError("CAPTURE_NOT_FOUND", { cause: error }) : error;
  });
  return { type: capture.media_type, fileName: fileNameOf(capture), content };
}

/** Deletes a capture and its file. @throws CAPTURE_NOT_FOUND */
export async function removeCapture(
  { db, audit, files }: CaptureDeps,
  owner: Owner,
  uuid: string,
  by: By,
): Promise<void> {
  await transaction(db, async (trx) => {
    const { kind, bytes, instance_uuid: instance, user_uuid: made_by } = await ownCapture(trx, owner, uuid);
    if (!(await deleteCapture(trx, uuid))) throw new AppError("CAPTURE_NOT_FOUND");
    const subject = { kind: "capture", uuid } as const;
    const details = { kind, bytes, instance, ...(made_by !== by.user && { made_by }) };
    await audit.record(trx, by, { action: "capture.delete", subject, details });
  });
  // If that fails, the file goes with the next collection.
  await files.delete(captureKey(uuid)).catch(() => undefined);
}

async function ownCapture(db: Database, owner: Owner, uuid: string): Promise<CaptureRow> {
  const capture = await findCapture(db, owner, uuid);
  if (!capture) throw new AppError("CAPTURE_NOT_FOUND");
  return capture;
}

export const presentCapture = (row: CaptureRow): Capture => ({
  uuid: row.uuid,
  kind: row.kind,
  owner: { uuid: row.user_uuid, email: row.email, first_name: row.first_name, last_name: row.last_name },
  instance_uuid: row.instance_uuid,
  instance_name: row.instance_name,
  media_type: row.media_type,
  bytes: row.bytes,
  duration_ms: row.duration_ms,
  width: row.width,
  height: row.height,
  created_at: row.created_at.toISOString(),
});

/** `payments-smoke-01 2026-03-02 09.41.07.png`, in UTC; without what file systems refuse. */
function fileNameOf({ instance_name, created_at, media_type }: CaptureRow): string {
  const time = created_at.toISOString().slice(0, 19).replace("T", " ").replaceAll(":", ".");
  // Cut first: half a character, which no header can have, goes with the rest.
  const name = instance_name.slice(0, MAX_NAME_CHARS).replaceAll(/[^\p{L}\p{N}._ -]+/gu, "-");
  return `${name} ${time}.${media_type === "image/png" ? "png" : "mp4"}`;
}

/** File systems allow 255 bytes, of which a character may take four. */
const MAX_NAME_CHARS = 50;
