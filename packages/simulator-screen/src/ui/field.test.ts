import { describe, expect, it } from "vitest";
import { Field } from "./field.ts";

describe("Field", () => {
  it("deletes an emoji of several parts as one character", () => {
    const field = new Field("a👨‍👩‍👧");
    field.backspace();
    expect(field.text).toBe("a");
  });

  it("writes at the caret", () => {
    const field = new Field("ac");
    field.left();
    field.insert("b");
    expect([field.text, field.caret]).toEqual(["abc", 2]);
    field.delete();
    expect(field.text).toBe("ab");
  });

  it("takes Enter as done in one line and as a new line in many", () => {
    let done = 0;
    const line = new Field("x", { done: () => done++ });
    line.enter();
    expect([line.text, done]).toEqual(["x", 1]);
    const text = new Field("x", { multiline: true });
    text.enter();
    expect(text.text).toBe("x\n");
  });

  it("tells each change", () => {
    const seen: string[] = [];
    const field = new Field("", { changed: (text) => seen.push(text) });
    field.insert("a\nb");
    field.backspace();
    expect(seen).toEqual(["a b", "a "]);
  });
});
