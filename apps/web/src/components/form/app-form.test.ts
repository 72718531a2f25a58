import { AppError } from "@terrarium/sdk";
import { describe, expect, it, vi } from "vitest";
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

describe("what the service has taken", () => {
  /** A form for a name that the service trims; its options follow before or after the end of the call. */
  function saving(before: string) {
    const options = { initial: { name: before, note: "" }, refusalOf: () => "no" };
    let end: (error?: Error) => void = () => undefined;
    const send = () => new Promise<void>((resolve, reject) => (end = (error) => (error ? reject(error) : resolve())));
    const form = new AppForm("form", { ...options, send }, () => "");
    const follow = (name: string) => form.follow({ ...options, initial: { name, note: "" }, send }, () => "");
    const over = async (error?: Error) => {
      end(error);
      await vi.waitFor(() => expect(form.read().isBusy).toBe(false), 10_000);
    };
    const shown = () => [form.read().values.name, form.read().isEdited];
    return { form, follow, over, shown };
  }

  it.each(["before", "after"])(
    "is shown as it was kept, with what is kept there %s the end of the call",
    async (when) => {
      const { form, follow, over, shown } = saving("Fern");
      form.set("name", " Moss ");
      form.submit();
      if (when === "before") follow("Moss");
      await over();
      if (when === "after") follow("Moss");
      expect(shown()).toEqual(["Moss", false]);
    },
  );

  it("is shown as it was kept if that is what was there before", async () => {
    const { form, over, shown } = saving("Fern");
    form.set("name", " Fern ");
    form.submit();
    await over();
    expect(shown()).toEqual(["Fern", false]);
  });

  it("leaves what was typed since, what was refused, and what is kept only later", async () => {
    const { form, follow, over, shown } = saving("Fern");
    form.set("name", " Moss ");
    form.submit();
    form.set("name", "Reed");
    follow("Moss");
    await over();
    expect(shown()).toEqual(["Reed", true]);
    form.submit();
    await over(new Error("refused"));
    follow("Rush");
    expect(shown()).toEqual(["Reed", true]);
    form.submit();
    await over();
    expect(shown()).toEqual(["Reed", true]);
    follow("Reed");
    expect(shown()).toEqual(["Reed", false]);
  });
});
