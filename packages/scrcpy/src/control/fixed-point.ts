/** 0..1 in 16 bits; the highest value means exactly 1. */
export function toUnsignedFixed(value: number): number {
  return Math.min(Math.trunc(Math.min(Math.max(value, 0), 1) * 0x10000), 0xffff);
}

export function fromUnsignedFixed(value: number): number {
  return value === 0xffff ? 1 : value / 0x10000;
}

/** -16..16 in 16 bits; the highest value means exactly 16. */
export function toScrollFixed(value: number): number {
  return Math.min(Math.trunc(Math.min(Math.max(value / 16, -1), 1) * 0x8000), 0x7fff);
}

export function fromScrollFixed(value: number): number {
  return value === 0x7fff ? 16 : (value / 0x8000) * 16;
}
