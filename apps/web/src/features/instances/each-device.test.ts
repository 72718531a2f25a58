import { AppError } from "@terrarium/sdk";
import { expect, it } from "vitest";
import { eachDevice } from "./each-device.ts";

it("tells what was done from what was gone and what failed, and lets no failure hold up the rest", async () => {
  const refused = new AppError("INSTANCE_NOT_RUNNING");
  const result = await eachDevice(["a", "gone", "b", "refused"], async (uuid) => {
    if (uuid === "gone") throw new AppError("INSTANCE_NOT_FOUND");
    if (uuid === "refused") throw refused;
  });
  expect(result).toEqual({
    stopped: ["a", "b"],
    unknown: ["gone"],
    failed: [{ uuid: "refused", error: refused }],
  });
});
