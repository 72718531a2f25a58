export type Json = Readonly<Record<string, unknown>>;

/** Parses a JSON object; undefined when the text is longer than `maxChars` or is something else. Never throws. */
export function parseObject(text: string, maxChars: number): Json | undefined {
  if (text.length > maxChars) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An own member of the object, never one of its prototype. */
export function member(object: Json, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

export function textWithin(value: unknown, maxChars: number): string | undefined {
  return typeof value === "string" && value.length <= maxChars ? value : undefined;
}

/** A finite number between `min` and `max`, inclusive. */
export function numberWithin(value: unknown, min: number, max: number): number | undefined {
  return typeof value === "number" && value >= min && value <= max ? value : undefined;
}

export function integerWithin(value: unknown, min: number, max: number): number | undefined {
  return Number.isInteger(value) ? numberWithin(value, min, max) : undefined;
}
