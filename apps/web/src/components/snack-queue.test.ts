import { beforeEach, describe, expect, it } from "vitest";
import { closeSnack, readSnacks, snack, snackTypes } from "./snack-queue.ts";

beforeEach(() => {
  for (const { id } of readSnacks()) closeSnack(id);
});
const shown = () => readSnacks().map(({ type, message, timeoutMs }) => [type, message, timeoutMs]);

describe("snack", () => {
  it.each(snackTypes)("shows %s for five seconds", (type) => {
    snack(type, "Done");
    expect(shown()).toEqual([[type, "Done", 5000]]);
  });

  it("lets a success carry the next step, and still shows it for five seconds", () => {
    snack("success", "Done", { label: "Open", run: () => undefined });
    expect(shown()).toEqual([["success", "Done", 5000]]);
  });

  it("shows an error that needs an act until it is closed", () => {
    snack("error", "Failed", { label: "Try again", run: () => undefined });
    expect(shown()).toEqual([["error", "Failed", undefined]]);
    closeSnack(readSnacks()[0]?.id ?? 0);
    expect(shown()).toEqual([]);
  });

  it("takes back what has passed, however often it was said", () => {
    snack("error", "Down");
    const takeBack = snack("error", "Down");
    snack("info", "Other");
    takeBack();
    expect(shown()).toEqual([["info", "Other", 5000]]);
    takeBack();
    expect(readSnacks().length).toBe(1);
  });

  it("throws at a type there is not", () => {
    expect(() => snack("loud" as "info", "Hey")).toThrow("loud");
  });

  it("says the same once, and keeps the last three", () => {
    for (const message of ["a", "a", "b", "c", "d"]) snack("info", message);
    expect(readSnacks().map(({ message }) => message)).toEqual(["b", "c", "d"]);
  });
});
