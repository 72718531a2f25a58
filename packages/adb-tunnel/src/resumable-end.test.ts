import { expect, it } from "vitest";
import { ResumableEnd, WINDOW_BYTES } from "./resumable-end.ts";

const text = (parts: Uint8Array[] | undefined) => parts && Buffer.concat(parts).toString();
const sent = (...words: string[]) => {
  const end = new ResumableEnd();
  for (const word of words) end.send(Buffer.from(word));
  return end;
};

it.each<[number, string | undefined]>([
  [0, "abcdefgh"],
  [1, "bcdefgh"],
  [3, "defgh"],
  [4, "efgh"],
  [8, ""],
  [9, undefined],
])("sends again what follows the byte %i", (received, again) => {
  expect(text(sent("abc", "def", "gh").resume(received))).toBe(again);
});

it("does not go back behind what was confirmed", () => {
  const end = sent("abc", "def");
  expect(end.confirm(4)).toBe(true);
  // Said late, of the time before.
  expect(end.confirm(2)).toBe(true);
  expect(text(end.resume(3))).toBeUndefined();
  expect(text(end.resume(4))).toBe("ef");
  expect(end.confirm(7)).toBe(false);
});

it("is full when a window is not confirmed", () => {
  const end = new ResumableEnd();
  end.send(new Uint8Array(WINDOW_BYTES - 1));
  expect(end.isFull).toBe(false);
  end.send(new Uint8Array(1));
  expect(end.isFull).toBe(true);
  end.confirm(1);
  expect(end.isFull).toBe(false);
});

it("confirms what was passed on, now and then", () => {
  const end = new ResumableEnd();
  end.receive(200_000);
  expect([end.take(), end.waiting]).toEqual([undefined, 0]);
  end.receive(200_000);
  expect([end.waiting, end.take(), end.take()]).toEqual([200_000, 400_000, undefined]);
  expect(end.received).toBe(400_000);
});
