import type { Client } from "@terrarium/sdk";
import { afterAll, beforeAll, expect, it } from "vitest";
import { untilState } from "./support/instances.ts";
import { demo, TestServer } from "./support/server.ts";

let server: TestServer;
let member: Client;
let guest: Client;

beforeAll(async () => {
  server = await TestServer.start();
  [member, guest] = [(await server.signIn(demo.user)).client, (await server.signIn(demo.guest)).client];
}, 180_000);

afterAll(() => server?.stop());

it(
  "lets a guest start what a member shares with them, until the share ends; the device runs on",
  { timeout: 180_000 },
  async () => {
    const official = (await member.recipes.list({ query: { search: "Phone 6.1 in, Android 15", page_size: 1 } }))
      .results[0];
    const { uuid } = await member.recipes.create({
      body: {
        name: "Shared",
        hardware_profile_uuid: official?.hardware_profile?.uuid ?? "",
        os_image_uuid: official?.os_image?.uuid ?? "",
      },
    });
    const { results } = await member.users.list({ query: { field: "email", users: [demo.guest.email] } });
    const share = await member.recipes.share({
      params: { uuid },
      body: { recipients: { users: results.map((person) => person.uuid) }, message: "Try it." },
    });

    const listed = await guest.recipes.list({ query: {} });
    expect(listed.results).toMatchObject([
      {
        uuid,
        right: "guest",
        actions: ["start"],
        share: { message: "Try it.", shared_by: { email: demo.user.email } },
      },
    ]);
    const device = await guest.recipes.start({ params: { uuid }, body: { instance_name: "guest's" } });
    await untilState(guest, device.uuid, "ONLINE");

    await member.shares.delete({ params: { uuid: share.uuid } });
    expect((await guest.recipes.list({ query: {} })).count).toBe(0);
    await expect(guest.recipes.get({ params: { uuid } })).rejects.toMatchObject({ code: "RECIPE_NOT_FOUND" });
    const { access_token } = await guest.instances.accessToken({ body: { instance_uuid: device.uuid } });
    expect(access_token).not.toBe("");
    expect((await guest.instances.get({ params: { uuid: device.uuid } })).state).toBe("ONLINE");
    expect((await guest.instances.stop({ params: { uuid: device.uuid } })).state).toBe("STOPPING");
  },
);
