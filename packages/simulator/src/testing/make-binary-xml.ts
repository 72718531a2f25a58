import { chunk, NO_STRING, UTF8_FLAG, valueType } from "../apk/binary-xml.ts";

export interface XmlSource {
  name: string;
  /** Attributes of Android's own namespace. */
  attributes?: Partial<Record<AndroidAttribute, string | number | boolean>>;
  /** Attributes without a namespace. */
  plain?: Record<string, string>;
  children?: XmlSource[];
}

const resourceIds = {
  label: 0x01010001,
  name: 0x01010003,
  debuggable: 0x0101000f,
  minSdkVersion: 0x0101020c,
  versionCode: 0x0101021b,
  versionName: 0x0101021c,
  targetSdkVersion: 0x01010270,
  testOnly: 0x01010272,
} as const;
type AndroidAttribute = keyof typeof resourceIds;

const ANDROID = "http://schemas.android.com/apk/res/android";

const u16 = (value: number) => [value & 0xff, (value >> 8) & 0xff];
const u32 = (value: number) => [...u16(value), ...u16(value >>> 16)];

/** Writes what aapt2 writes of a manifest: the string pool (UTF-8), the resource ids, then the elements. */
export function makeBinaryXml(root: XmlSource): Uint8Array<ArrayBuffer> {
  // Names with a resource id stand first in the pool: the table of ids says which by position.
  const strings: string[] = Object.keys(resourceIds);
  const indexOf = (text: string): number => {
    const at = strings.indexOf(text);
    return at >= 0 ? at : strings.push(text) - 1;
  };
  const body: number[] = [];
  const write = (element: XmlSource): void => {
    const attributes = [
      ...Object.entries(element.attributes ?? {}).map(([name, value]) =>
        attribute(indexOf(ANDROID), indexOf(name), value, indexOf),
      ),
      ...Object.entries(element.plain ?? {}).map(([name, value]) =>
        attribute(NO_STRING, indexOf(name), value, indexOf),
      ),
    ];
    const name = indexOf(element.name);
    body.push(
      ...u16(chunk.startElement),
      ...u16(16),
      ...u32(36 + attributes.length * 20),
      ...u32(1),
      ...u32(NO_STRING),
    );
    body.push(
      ...u32(NO_STRING),
      ...u32(name),
      ...u16(20),
      ...u16(20),
      ...u16(attributes.length),
      ...u16(0),
      ...u16(0),
      ...u16(0),
    );
    body.push(...attributes.flat());
    for (const child of element.children ?? []) write(child);
    body.push(
      ...u16(chunk.endElement),
      ...u16(16),
      ...u32(24),
      ...u32(1),
      ...u32(NO_STRING),
      ...u32(NO_STRING),
      ...u32(name),
    );
  };
  write(root);
  const ids = Object.values(resourceIds);
  const idChunk = [...u16(chunk.resourceIds), ...u16(8), ...u32(8 + ids.length * 4), ...ids.flatMap(u32)];
  const pool = stringPool(strings);
  return new Uint8Array([
    ...u16(chunk.file),
    ...u16(8),
    ...u32(8 + pool.length + idChunk.length + body.length),
    ...pool,
    ...idChunk,
    ...body,
  ]);
}

function attribute(
  namespace: number,
  name: number,
  value: string | number | boolean,
  indexOf: (text: string) => number,
): number[] {
  const text = typeof value === "string" ? indexOf(value) : NO_STRING;
  const type =
    typeof value === "string" ? valueType.text : typeof value === "number" ? valueType.decimal : valueType.boolean;
  const data = typeof value === "string" ? text : typeof value === "number" ? value : value ? 0xffffffff : 0;
  return [...u32(namespace), ...u32(name), ...u32(text), ...u16(8), 0, type, ...u32(data)];
}

function stringPool(strings: string[]): number[] {
  const length = (size: number) => (size < 0x80 ? [size] : [0x80 | (size >> 8), size & 0xff]);
  const offsets: number[] = [];
  const data: number[] = [];
  for (const text of strings) {
    const bytes = new TextEncoder().encode(text);
    offsets.push(data.length);
    data.push(...length(text.length), ...length(bytes.length), ...bytes, 0);
  }
  while (data.length % 4 !== 0) data.push(0);
  const header = 28;
  const start = header + offsets.length * 4;
  return [
    ...u16(chunk.strings),
    ...u16(header),
    ...u32(start + data.length),
    ...u32(strings.length),
    ...u32(0),
    ...u32(UTF8_FLAG),
    ...u32(start),
    ...u32(0),
    ...offsets.flatMap(u32),
    ...data,
  ];
}
