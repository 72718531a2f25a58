import { expect, it } from "vitest";
import { messageOf } from "./message-of.ts";

it("says what each of several errors says, where the one that stands for them says nothing", () => {
  const refused = ["connect ECONNREFUSED ::1:5432", "connect ECONNREFUSED 127.0.0.1:5432"];
  expect(messageOf(new AggregateError(refused.map((message) => new Error(message))))).toBe(refused.join(", "));
});

it("takes what is not an error as it is", () => expect(messageOf("gone")).toBe("gone"));
