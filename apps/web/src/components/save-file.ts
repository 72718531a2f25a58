const REVOKE_AFTER_MS = 60_000;

/** Saves a file, as if it had been downloaded. */
export function saveFile(content: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // Some browsers read a large file only after the press.
  setTimeout(() => URL.revokeObjectURL(link.href), REVOKE_AFTER_MS);
}

/**
 * Saves what the service answered under the name that it gave: a link is no way to a file from a call that carries a token. `of` may take a
 * part of it. Returns the name.
 */
export async function saveAnswer(
  answer: Response,
  otherwise: string,
  of: (file: Blob) => Blob | Promise<Blob> = (file) => file,
): Promise<string> {
  const name = /filename="([^"]+)"/.exec(answer.headers.get("content-disposition") ?? "")?.[1] ?? otherwise;
  saveFile(await of(await answer.blob()), name);
  return name;
}
