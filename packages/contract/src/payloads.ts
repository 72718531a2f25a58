import type { z } from "zod";

/** A body that is passed on byte for byte, for webhooks whose signature covers the bytes. Limited by the route's `maxBodyBytes`. */
export interface RawBody {
  kind: "raw";
  /** Accepted media types, without parameters; the SDK sends the first one by default. */
  types: readonly [string, ...string[]];
}

/** A file that the handler reads as it arrives, so that it may be large. Its length is declared, up to the route's `maxBodyBytes`. */
export interface StreamBody {
  kind: "stream";
  /** As in `RawBody`. */
  types: readonly [string, ...string[]];
}

/** A body that is still on its way. */
export interface ArrivingBody {
  /** As many as the client has declared; it cannot send more. */
  readonly bytes: number;
  /** Aborts when the client leaves before it has sent all. */
  readonly gone: AbortSignal;
  /**
   * Calls `take` with one part after the other, no faster than it resolves, and resolves when it has taken all. Rejects if `take` does, if
   * the client is gone, or with the signal's reason; what has not arrived by then is dropped.
   */
  each(take: (part: Uint8Array) => Promise<void>, signal: AbortSignal): Promise<void>;
}

/** Limits for the files in one field of a form. */
export interface FileField {
  /** The minimum number of files; 0 by default. */
  min?: number;
  max: number;
  /** The maximum size of each file. */
  maxBytes: number;
  /** Accepted media types; all by default. This is what the client declares, not what is in the file. */
  types?: readonly string[];
}

/** A form with files, sent as `multipart/form-data`. */
export interface FormBody {
  kind: "form";
  /** The text fields, each at most `limits.formFieldBytes` long. */
  fields: z.ZodObject;
  files: Readonly<Record<string, FileField>>;
}

/** A reply with another media type than JSON, such as a PDF, CSV file or archive. It may be streamed. */
export interface BytesReply {
  kind: "bytes";
  types: readonly [string, ...string[]];
  /** Headers that it may have besides, with what they say. */
  headers?: Readonly<Record<string, string>>;
}

/**
 * A redirect: 302 after a GET, 303 after a form was submitted. A request with exactly `accept: application/json` gets the target as
 * JSON instead, since a script in a browser cannot see where a redirect leads.
 */
export interface RedirectReply {
  kind: "redirect";
  status: 302 | 303;
}

export type Body = z.ZodObject | z.ZodArray | RawBody | StreamBody | FormBody;
export type ReplyKind = z.ZodType | BytesReply | RedirectReply;

/** A file of a form, as the handler receives it: on the local disk, and deleted after the reply. */
export interface ReceivedFile {
  /** The name that the client gave, without any path. */
  name: string;
  type: string;
  bytes: number;
  path: string;
}

/** What a handler returns if the reply is bytes. */
export interface Content<Type extends string = string> {
  type: Type;
  /** With a name, browsers save the reply as a file; without one, they show it. */
  fileName?: string | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
  /** A stream is read no faster than the client receives it; if it fails, the connection is cut. */
  content: Uint8Array | AsyncIterable<Uint8Array>;
}

/** The type of a body on the client. */
export type SentBody<B> = B extends z.ZodType
  ? z.input<B>
  : B extends RawBody | StreamBody
    ? Uint8Array<ArrayBuffer> | Blob
    : B extends FormBody
      ? { fields: z.input<B["fields"]>; files: { [Field in keyof B["files"]]?: readonly Blob[] } }
      : undefined;

/** The type of a body in the handler. */
export type ReceivedBody<B> = B extends z.ZodType
  ? z.output<B>
  : B extends RawBody
    ? Uint8Array
    : B extends StreamBody
      ? ArrivingBody
      : B extends FormBody
        ? { fields: z.output<B["fields"]>; files: { [Field in keyof B["files"]]: ReceivedFile[] } }
        : undefined;

/** What a handler returns for a reply; for a redirect, the target. */
export type ReturnedReply<R> = R extends z.ZodType
  ? z.output<R>
  : R extends BytesReply
    ? Content<R["types"][number]>
    : R extends RedirectReply
      ? string
      : void;

/** What the client gets for a reply; for bytes, the response with its body unread. */
export type ReceivedReply<R> = R extends BytesReply ? Response : ReturnedReply<R>;

/** Whether a body or reply is JSON with a schema; all others have a `kind`. */
export const isJson = <Part extends z.ZodType | { kind: string }>(part: Part): part is Extract<Part, z.ZodType> =>
  !("kind" in part);
