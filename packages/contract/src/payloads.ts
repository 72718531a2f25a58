import type { z } from "zod";

/** A body that is taken as it came, byte for byte: webhooks are signed over these. Its bound is the route's `maxBodyBytes`. */
export interface RawBody {
  kind: "raw";
  /** Media types that are taken, without parameters; a caller who names none sends the first. */
  types: readonly [string, ...string[]];
}

/** Bounds of the files that one field of a form may bring. */
export interface FileField {
  /** How many there must be; 0 when not given. */
  min?: number;
  max: number;
  /** Of each. */
  maxBytes: number;
  /** Media types that are taken; any when not given. They are what the caller says, not what is in the file. */
  types?: readonly string[];
}

/** A form with files, sent as `multipart/form-data`. */
export interface FormBody {
  kind: "form";
  /** Its text fields, each at most `limits.formFieldBytes` long. */
  fields: z.ZodObject;
  files: Readonly<Record<string, FileField>>;
}

/** Bytes of a media type: a PDF, a CSV, an archive. They may be streamed. */
export interface BytesReply {
  kind: "bytes";
  types: readonly [string, ...string[]];
}

/**
 * Sends the caller on to another address: 302 from a page that was opened, 303 from a form that was sent. Who asks with
 * `accept: application/json` and nothing else is told the address instead, for a script in a browser cannot see a redirect's.
 */
export interface RedirectReply {
  kind: "redirect";
  status: 302 | 303;
}

export type Body = z.ZodObject | RawBody | FormBody;
export type ReplyKind = z.ZodType | BytesReply | RedirectReply;

/** A file of a form as a handler gets it. It lies on this machine until the call is answered. */
export interface ReceivedFile {
  /** What the caller calls it; never a path. */
  name: string;
  type: string;
  bytes: number;
  path: string;
}

/** What a handler gives where the reply is bytes. */
export interface Content<Type extends string = string> {
  type: Type;
  /** With a name it is saved under it; without it is shown. */
  fileName?: string | undefined;
  /** Bytes that come bit by bit are made no faster than the caller takes them; when making them fails, the connection is cut. */
  content: Uint8Array | AsyncIterable<Uint8Array>;
}

/** What a caller gives for a body. */
export type SentBody<B> = B extends z.ZodType
  ? z.input<B>
  : B extends RawBody
    ? Uint8Array<ArrayBuffer> | Blob
    : B extends FormBody
      ? { fields: z.input<B["fields"]>; files: { [Field in keyof B["files"]]?: readonly Blob[] } }
      : undefined;

/** What a handler gets for a body. */
export type ReceivedBody<B> = B extends z.ZodType
  ? z.output<B>
  : B extends RawBody
    ? Uint8Array
    : B extends FormBody
      ? { fields: z.output<B["fields"]>; files: { [Field in keyof B["files"]]: ReceivedFile[] } }
      : undefined;

/** What a handler gives for a reply: of a redirect, the address. */
export type GivenReply<R> = R extends z.ZodType
  ? z.output<R>
  : R extends BytesReply
    ? Content<R["types"][number]>
    : R extends RedirectReply
      ? string
      : void;

/** What a caller gets for a reply: of bytes, the response with its body unread. */
export type GottenReply<R> = R extends BytesReply ? Response : GivenReply<R>;

/** Whether a body or a reply is JSON that a schema tells; all others have a kind. */
export const isJson = <Part extends z.ZodType | { kind: string }>(part: Part): part is Extract<Part, z.ZodType> =>
  !("kind" in part);
