/** It was not there, or is being removed by somebody else. */
export function unlessGone(error: unknown): undefined {
  const { statusCode } = error as { statusCode?: number };
  if (statusCode !== 404 && !(statusCode === 409 && /already in progress/.test(String(error)))) throw error;
}

/** What a container has printed comes in frames, as in a tunnel. */
export function textOf(framed: Buffer): string {
  const parts: Buffer[] = [];
  for (let at = 0; at + 8 <= framed.length;) {
    const end = at + 8 + framed.readUInt32BE(at + 4);
    parts.push(framed.subarray(at + 8, end));
    at = end;
  }
  return Buffer.concat(parts).toString();
}

/** Without what the library says around it. */
export const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replace(/^\(HTTP code \d+\) [^-]* - /, "").trim();
