/**
 * Android's binary XML (AOSP frameworks/base/libs/androidfw/include/androidfw/ResourceTypes.h):
 *
 *   chunk  u16 type, u16 header bytes, u32 chunk bytes
 *   0x0003 the file   0x0001 string pool   0x0180 resource ids of the first strings
 *   0x0102 element    header 16: line, comment; then ns, name, u16 attribute start, size, count, ...
 *   attribute         u32 ns, name, raw text, u16 8, u8 0, u8 value type, u32 value
 */
export const chunk = {
  file: 0x0003,
  strings: 0x0001,
  resourceIds: 0x0180,
  startElement: 0x0102,
  endElement: 0x0103,
} as const;
export const valueType = { reference: 0x01, text: 0x03, decimal: 0x10, hex: 0x11, boolean: 0x12 } as const;
export const UTF8_FLAG = 0x100;
export const NO_STRING = 0xffffffff;

export interface XmlAttribute {
  name: string;
  /** Android's id of the attribute, which remains when the name was stripped. */
  resourceId: number | undefined;
  type: number;
  value: number;
  text: string | undefined;
}

export interface XmlElement {
  name: string;
  depth: number;
  attributes: XmlAttribute[];
}

const MAX_ELEMENTS = 65_536;
const ATTRIBUTE_BYTES = 20;
const OFFSET_BYTES = 4;

/**
 * The elements in document order. Throws RangeError if it is not binary XML. Nothing is read twice: with strings or attributes that share
 * bytes, a file of a few megabytes could fill any memory.
 */
export function readBinaryXml(bytes: Uint8Array): XmlElement[] {
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (data.getUint16(0, true) !== chunk.file) throw new RangeError("not binary XML");
  let strings: string[] = [];
  const resourceIds: number[] = [];
  const elements: XmlElement[] = [];
  let depth = 0;
  for (let at = data.getUint16(2, true); at + 8 <= bytes.length;) {
    const [type, size] = [data.getUint16(at, true), data.getUint32(at + 4, true)];
    if (size < 8 || at + size > bytes.length) throw new RangeError("a chunk of an impossible size");
    if (type === chunk.strings) strings = readStrings(data, at, size);
    if (type === chunk.resourceIds)
      for (let id = at + 8; id < at + size; id += 4) resourceIds.push(data.getUint32(id, true));
    if (type === chunk.endElement) depth--;
    if (type === chunk.startElement) {
      if (elements.length >= MAX_ELEMENTS) throw new RangeError("too many elements");
      elements.push(readElement(data, { at, end: at + size }, depth++, { strings, resourceIds }));
    }
    at += size;
  }
  return elements;
}

function readElement(
  data: DataView,
  { at, end }: { at: number; end: number },
  depth: number,
  { strings, resourceIds }: { strings: string[]; resourceIds: number[] },
): XmlElement {
  const body = at + 16;
  const start = body + data.getUint16(body + 8, true);
  const [size, count] = [data.getUint16(body + 10, true), data.getUint16(body + 12, true)];
  const attributes: XmlAttribute[] = [];
  for (let index = 0; index < count; index++) {
    const here = start + index * size;
    if (size < ATTRIBUTE_BYTES || here + ATTRIBUTE_BYTES > end)
      throw new RangeError("an attribute outside its element");
    const name = data.getUint32(here + 4, true);
    const raw = data.getUint32(here + 8, true);
    const [type, value] = [data.getUint8(here + 15), data.getUint32(here + 16, true)];
    const text = type === valueType.text ? strings[value] : raw === NO_STRING ? undefined : strings[raw];
    attributes.push({ name: strings[name] ?? "", resourceId: resourceIds[name], type, value, text });
  }
  return { name: strings[data.getUint32(body + 4, true)] ?? "", depth, attributes };
}

function readStrings(data: DataView, at: number, size: number): string[] {
  const count = data.getUint32(at + 8, true);
  const isUtf8 = (data.getUint32(at + 16, true) & UTF8_FLAG) !== 0;
  const base = at + data.getUint32(at + 20, true);
  const offsets = at + data.getUint16(at + 2, true);
  let left = size;
  const take = (bytes: number) => {
    left -= bytes;
    if (left < 0) throw new RangeError("more strings than bytes");
  };
  take(count * OFFSET_BYTES);
  return Array.from({ length: count }, (_, index) => {
    const from = base + data.getUint32(offsets + index * OFFSET_BYTES, true);
    const { start, bytes } = isUtf8 ? placeOfUtf8(data, from) : placeOfUtf16(data, from);
    take(bytes);
    return decode(isUtf8 ? "utf-8" : "utf-16le", data, start, bytes);
  });
}

/** Where the bytes of a string are. */
interface Place {
  start: number;
  bytes: number;
}

/** Two lengths (in UTF-16 units, then in bytes), each one or two bytes, then the bytes. */
function placeOfUtf8(data: DataView, from: number): Place {
  const first = data.getUint8(from) & 0x80 ? 2 : 1;
  const high = data.getUint8(from + first);
  const long = (high & 0x80) !== 0;
  const bytes = long ? ((high & 0x7f) << 8) | data.getUint8(from + first + 1) : high;
  return { start: from + first + (long ? 2 : 1), bytes };
}

function placeOfUtf16(data: DataView, from: number): Place {
  const high = data.getUint16(from, true);
  const long = (high & 0x8000) !== 0;
  const length = long ? ((high & 0x7fff) << 16) | data.getUint16(from + 2, true) : high;
  return { start: from + (long ? 4 : 2), bytes: length * 2 };
}

function decode(encoding: "utf-8" | "utf-16le", data: DataView, at: number, length: number): string {
  if (at + length > data.byteLength) throw new RangeError("a string beyond the file");
  return new TextDecoder(encoding).decode(new Uint8Array(data.buffer, data.byteOffset + at, length));
}
