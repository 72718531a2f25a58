import { expect, it } from "vitest";
import { messageOf } from "./message-of.ts";

it("joins the messages of an AggregateError", () => {
  const refused = ["connect ECONNREFUSED ::1:5432", "connect ECONNREFUSED 127.0.0.1:5432"];
  expect(messageOf(new AggregateError(refused.map((message) => new Error(message))))).toBe(refused.join(", "));
});

it("converts other values to text", () => expect(messageOf("gone")).toBe("gone"));
