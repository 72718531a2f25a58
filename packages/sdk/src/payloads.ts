import type { WireRoute } from "@terrarium/contract";

/** What a call sends, as every route sees it. */
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

/** A call's body as it goes out, with its media type where `fetch` does not find it by itself. */
export function payloadOf({ sends }: WireRoute, body: unknown): { type?: string; body?: BodyInit } {
  if (body === undefined) return {};
  if (sends === undefined) return { type: "application/json", body: JSON.stringify(body) };
  // The type of a form has a boundary in it, which is `fetch`'s to choose.
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

/** What a call gives of an answer that is no error. */
export async function readReply({ gives }: WireRoute, response: Response): Promise<unknown> {
  if (gives === "bytes") return response;
  if (response.status === 204) return undefined;
  const json: unknown = await response.json();
  return gives === "redirect" ? (json as { location: string }).location : json;
}
