import { AppError } from "@terrarium/sdk";
import { expect, it, vi } from "vitest";
import { AppForm } from "./app-form.ts";

const initial = { displays: [{ width: 1 }], displaysMax: 1 };

it("forgets what the service said of a field's parts when the whole field is another", async () => {
  const fields = ["displays.0.width", "displaysMax"].map((field) => ({ field, message: "Too large" }));
  const send = () => Promise.reject(new AppError("invalid_request", { fields }));
  const form = new AppForm("form", { initial, send, refusalOf: () => "" }, () => "");
  form.submit();
  await vi.waitFor(() => expect([...form.read().errors.keys()]).toEqual(["displays.0.width", "displaysMax"]), 10_000);
  form.set("displays", [{ width: 2 }]);
  expect([...form.read().errors.keys()]).toEqual(["displaysMax"]);
});
