/** A box of the ISO base media file format: its size, four letters, and what is in it. */
export function box(type: string, ...parts: Uint8Array[]): Buffer {
  const size = parts.reduce((sum, { length }) => sum + length, 8);
  return Buffer.concat([u32(size), Buffer.from(type, "latin1"), ...parts], size);
}

/** A box that begins with its version, which is 0, and its flags. */
export const fullBox = (type: string, flags: number, ...parts: Uint8Array[]): Buffer => box(type, u32(flags), ...parts);

export function u32(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, index * 4);
  return bytes;
}

export function u16(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2);
  for (const [index, value] of values.entries()) bytes.writeUInt16BE(value, index * 2);
  return bytes;
}

/** A table: how many rows it has, and then their numbers, which are as many in each. */
export function table(rows: readonly (readonly number[])[]): Buffer {
  const bytes = Buffer.alloc(4 + rows.length * (rows[0]?.length ?? 0) * 4);
  let at = bytes.writeUInt32BE(rows.length);
  for (const row of rows) for (const value of row) at = bytes.writeUInt32BE(value, at);
  return bytes;
}

/** Rows of how often a value follows itself, and the value. */
export function runsOf(values: readonly number[]): [count: number, value: number][] {
  const runs: [number, number][] = [];
  for (const value of values) {
    const last = runs.at(-1);
    if (last?.[1] === value) last[0]++;
    else runs.push([1, value]);
  }
  return runs;
}
