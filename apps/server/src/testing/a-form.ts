/** A multipart form with a file, for `call` and the calls of somebody who is signed in. */
export async function aForm(...files: { name: string; content: string | Uint8Array; field?: string }[]) {
  const form = new FormData();
  for (const { name, content, field = "file" } of files)
    form.append(field, new Blob([content as Uint8Array<ArrayBuffer>]), name);
  const sent = new Response(form);
  return {
    body: Buffer.from(await sent.arrayBuffer()),
    headers: { "content-type": sent.headers.get("content-type") ?? "" },
  };
}
