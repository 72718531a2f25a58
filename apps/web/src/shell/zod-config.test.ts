import { expect, it } from "vitest";
import "./zod-config.ts";

it("keeps zod from trying what the content security policy forbids", async () => {
  const { z } = await import("zod");
  expect(z.config()).toMatchObject({ jitless: true });
});
