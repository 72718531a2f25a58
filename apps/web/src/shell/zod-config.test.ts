import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";

it("keeps zod from trying what the content security policy forbids", async () => {
  // In a process of its own, as this one may have loaded zod before.
  const script = `
    await import(${JSON.stringify(new URL("zod-config.ts", import.meta.url))});
    const { z } = await import("zod");
    console.log(JSON.stringify(z.config()));`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", script]);
  expect(JSON.parse(stdout)).toMatchObject({ jitless: true });
});
