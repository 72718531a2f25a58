import type { EmbedLink, Instance } from "@terrarium/contract";
import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { secretFor } from "../../platform/secrets.ts";
import { createTestApp } from "../../testing/app.ts";
import { accessTokens } from "./access-tokens.ts";
import { displayAccess } from "./display-access.ts";
import { moveInstance } from "./move-instance.ts";

/** Robin's device, a token for it, and what tokens open. */
async function display() {
  const test = await createTestApp({ publicUrl: "https://devices.example" });
  const { db, clock, as, call } = test;
  const robin = await as();
  const device = (await robin.start()).json<Instance>().uuid;
  const tokens = accessTokens(await secretFor(db, "access-tokens"), clock);
  const open = displayAccess({ db, clock }, tokens);
  const tokenWith = async (headers: Record<string, string>) =>
    (await call("POST", "/v1/instances/access-token", { body: { instance_uuid: device }, headers })).json<{
      access_token: string;
    }>().access_token;
  const own = await tokenWith(robin.headers);
  const { credential } = (await tokens.read(own)) as { credential: string };
  const forge = async (claims: Partial<Parameters<typeof tokens.issue>[0]>) =>
    (await tokens.issue({ instance: device, user: robin.user.uuid, role: "owner", credential, ...claims }))
      .access_token;
  return { ...test, robin, device, tokens, open, tokenWith, own, credential, forge };
}

describe("a token of a display", () => {
  it("grants its owner the device, by what it was asked for with", async () => {
    const { robin, device, open, tokenWith, own, credential } = await display();
    const { uuid: user, organization_uuid: organization } = robin.user;
    const grant = { instanceUuid: device, user, role: "owner", organization };
    expect(await open(own)).toEqual({ ...grant, credential, cameAs: "user" });
    const made = (await robin.post("/v1/api-tokens", { description: "ci" })).json<{ uuid: string; token: string }>();
    const asked = await tokenWith({ "x-api-token": made.token });
    expect(await open(asked)).toEqual({ ...grant, credential: made.uuid, cameAs: "token" });
  });

  it("ends after five minutes", async () => {
    const { clock, open, own } = await display();
    await clock.advance(299_999);
    expect(await open(own)).toMatchObject({ role: "owner" });
    await clock.advance(1);
    expect(await open(own)).toBe("expired");
  });

  it("ends with the credential that it was asked for with", async () => {
    const { robin, open, own } = await display();
    await robin.post("/v1/users/signout");
    expect(await open(own)).toBe("wrong");
  });

  it("ends with its device", async () => {
    const { db, clock, device, open, own } = await display();
    await moveInstance(db, { uuid: device, event: "fail", now: new Date(clock.now()) });
    expect(await open(own)).toBe("ended");
  });

  it("is one that was issued here, for a device that is there", async () => {
    const { open, own, forge } = await display();
    expect(await open(`${own}x`)).toBe("wrong");
    expect(await open(await forge({ instance: randomUUID() }))).toBe("wrong");
    expect(await open(await forge({ role: "participant" }))).toBe("wrong");
  });

  it("of a link opens the device that the link is for, while that is its maker's", async () => {
    const { db, as, robin, device, open, forge } = await display();
    const made = (await robin.post(`/v1/instances/${device}/embed-links`, { hours: 1 })).json<EmbedLink>();
    const claims = { user: made.uuid, role: "participant", link: made.uuid } as const;
    const token = await forge(claims);
    expect(await open(token)).toMatchObject({ role: "participant", link: made.uuid });
    const other = (await robin.start()).json<Instance>().uuid;
    expect(await open(await forge({ ...claims, instance: other }))).toBe("wrong");
    const { uuid: owner_uuid } = (await as()).user;
    await db.updateTable("instances").set({ owner_uuid }).where("uuid", "=", device).execute();
    expect(await open(token)).toBe("wrong");
  });
});
