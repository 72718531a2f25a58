import type { WireRoute } from "@terrarium/contract";
import { foreignAnswer } from "./errors.ts";

/** The parts of a call, for any route. */
export interface Parts {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  headers?: Record<string, string | undefined>;
  body?: unknown;
}

interface Form {
  fields: Record<string, unknown>;
  files: Record<string, readonly Blob[] | undefined>;
}

/** The body for `fetch`, with its media type unless `fetch` sets that itself. */
export function payloadOf({ sends }: WireRoute, body: unknown): { type?: string; body?: BodyInit } {
  if (body === undefined) return {};
  if (sends === undefined) return { type: "application/json", body: JSON.stringify(body) };
  // The type of a form contains a boundary, which `fetch` generates.
  if (sends === "form") return { body: formOf(body as Form) };
  const bytes = body as Uint8Array<ArrayBuffer> | Blob;
  return { type: (bytes instanceof Blob && bytes.type) || sends, body: bytes };
}

function formOf({ fields, files }: Form): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields))
    for (const item of Array.isArray(value) ? value : [value]) if (item !== undefined) form.append(name, String(item));
  for (const [name, list = []] of Object.entries(files)) for (const file of list) form.append(name, file);
  return form;
}

/** What a call returns for a successful response. */
export async function readReply({ receives }: WireRoute, response: Response): Promise<unknown> {
  if (receives === "bytes") return response;
  if (response.status === 204) return undefined;
  const json: unknown = await response.json().catch((error: unknown) => {
    throw error instanceof SyntaxError ? foreignAnswer(response.status) : error;
  });
  return receives === "redirect" ? (json as { location: string }).location : json;
}
