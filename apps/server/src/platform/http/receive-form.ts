import { AppError, type FileField, type FormBody, limits, type ReceivedFile } from "@terrarium/contract";
import type { MultipartFile } from "@fastify/multipart";
import type { FastifyRequest } from "fastify";
import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { mediaTypeError } from "./receive-body.ts";

/** A form that was received whole: its text fields, not yet checked by a schema, and its files in a temporary folder. */
export interface ReceivedForm {
  fields: Record<string, unknown>;
  files: Record<string, ReceivedFile[]>;
  /** Deletes the files. */
  remove(): Promise<void>;
}

/**
 * Reads a multipart form to its end. Files are written to a temporary folder and never held in memory. A form over a limit is
 * refused as soon as the limit is passed; one that fails or breaks off leaves no files behind.
 * @throws AppError BODY_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE or invalid_request, with the field.
 */
export async function receiveForm(request: FastifyRequest, { files: bounds }: FormBody): Promise<ReceivedForm> {
  if (!request.isMultipart()) throw mediaTypeError(["multipart/form-data"]);
  if (Number(request.headers["content-length"]) > request.routeOptions.bodyLimit) throw new AppError("BODY_TOO_LARGE");
  const folder = await mkdtemp(join(tmpdir(), "terrarium-form-"));
  const remove = () => rm(folder, { recursive: true, force: true });
  const fields = new Map<string, unknown>();
  const files = new Map<string, ReceivedFile[]>(Object.keys(bounds).map((field) => [field, []]));
  try {
    for await (const part of request.parts({ limits: parserLimits(bounds) })) {
      const name = part.fieldname;
      if (part.type === "file") {
        const received = files.get(name);
        const bound = bounds[name];
        if (!received || !bound) throw refusal("invalid_request", name, "There is no such file");
        if (received.length >= bound.max) throw refusal("invalid_request", name, `At most ${bound.max} files`);
        received.push(await saveFile(part, bound, join(folder, randomUUID())));
      } else if (part.fieldnameTruncated || part.valueTruncated) {
        throw refusal("BODY_TOO_LARGE", name, `At most ${limits.formFieldBytes} bytes`);
      } else {
        const before = fields.get(name);
        // A repeated field is a list.
        fields.set(name, before === undefined ? part.value : [before, part.value].flat());
      }
    }
    for (const [name, { min = 0 }] of Object.entries(bounds))
      if ((files.get(name)?.length ?? 0) < min)
        throw refusal("invalid_request", name, min === 1 ? "Required" : `At least ${min} files`);
  } catch (error) {
    // Read to its end all the same: the next request on the connection is behind it.
    request.raw.unpipe();
    request.raw.resume();
    await remove();
    throw asRefusal(error);
  }
  return { fields: Object.fromEntries(fields), files: Object.fromEntries(files), remove };
}

/** Limits of the parser itself. Each field's own limits are tighter and are checked by us. */
const parserLimits = (bounds: FormBody["files"]) => ({
  fields: limits.formFields,
  fieldSize: limits.formFieldBytes,
  // One more than allowed, so that our own check sees the surplus file and can name its field.
  files: Object.values(bounds).reduce((sum, { max }) => sum + max, 1),
  fileSize: Infinity,
});

async function saveFile(part: MultipartFile, bound: FileField, path: string): Promise<ReceivedFile> {
  if (bound.types && !bound.types.includes(part.mimetype)) throw mediaTypeError(bound.types);
  let bytes = 0;
  const measured = async function* () {
    for await (const chunk of part.file) {
      bytes += (chunk as Buffer).length;
      if (bytes > bound.maxBytes) throw refusal("BODY_TOO_LARGE", part.fieldname, `At most ${bound.maxBytes} bytes`);
      yield chunk as Buffer;
    }
  };
  await pipeline(measured, createWriteStream(path));
  return { name: part.filename, type: part.mimetype, bytes, path };
}

/** The parser reports a malformed form as a plain Error without a code; errors of the file system have one and pass through. */
const asRefusal = (error: unknown): unknown =>
  error instanceof Error && error.constructor === Error && !("code" in error)
    ? new AppError("invalid_request", { message: "The form is not valid.", cause: error })
    : error;

const refusal = (code: "invalid_request" | "BODY_TOO_LARGE", field: string, message: string) =>
  new AppError(code, { fields: [{ field, message }] });
