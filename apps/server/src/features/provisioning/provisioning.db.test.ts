import { describe, expect, it } from "vitest";
import { outcomeOf } from "../../testing/sharing.ts";
import { aDirectoryOf, withDirectory } from "../scim/testing/directory.ts";

describe("provisioning tokens", () => {
  it("are shown once, and kept as a hash", async () => {
    const { settings, token, tokenUuid, db, audited } = await withDirectory();
    expect(token).toMatch(/^tp_[\w-]{43}$/);
    const shown = await settings();
    expect(shown).toEqual({
      base_url: "https://devices.example/cloud/scim/v2",
      own_provider: "moss.example",
      tokens: [
        { uuid: tokenUuid, prefix: token.slice(0, 7), created_at: "2026-03-02T09:00:00.000Z", last_access: null },
      ],
      claim: null,
      groups: [],
    });
    const rows = await db.selectFrom("provisioning_tokens").selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(token);
    expect(JSON.stringify(await audited())).not.toContain(token);
  });

  it("are two at most, also when they are asked for at once", async () => {
    const { manager, path, settings, tokenUuid } = await withDirectory();
    const ask = async () => outcomeOf(await manager.post(`${path}/tokens`, { password: manager.user.password }));
    const outcomes = await Promise.all([ask(), ask(), ask()]);
    expect(outcomes.toSorted()).toEqual([
      "201",
      "403 TOO_MANY_PROVISIONING_TOKENS",
      "403 TOO_MANY_PROVISIONING_TOKENS",
    ]);
    await manager.delete(`${path}/tokens/${tokenUuid}`);
    expect((await settings()).tokens).toHaveLength(1);
    expect(await ask()).toBe("201");
  });

  it("are made by a manager who proves who they are, with a session", async () => {
    const { manager, path, as, organization, call } = await withDirectory();
    const post = async (body: object) => outcomeOf(await manager.post(`${path}/tokens`, body));
    expect(await post({ password: "wrong horse 1" })).toBe("403 WRONG_PASSWORD");
    expect(await post({})).toBe("403 WRONG_PASSWORD");
    const { token } = (await manager.post("/v1/api-tokens", { description: "ci", scope: "admin" })).json();
    const body = { password: manager.user.password };
    const headers = { "x-api-token": token as string };
    expect(outcomeOf(await call("POST", `${path}/tokens`, { body, headers }))).toBe("403 FORBIDDEN");
    const kim = await as({ organization });
    expect(outcomeOf(await kim.post(`${path}/tokens`, { password: kim.user.password }))).toBe("403 FORBIDDEN");
  });

  it("are the business of their organization alone", async () => {
    const test = await withDirectory();
    const other = await aDirectoryOf(test, "fern.example");
    const { manager, path, tokenUuid } = test;
    const theirs = other.manager;
    expect(outcomeOf(await theirs.get(path))).toBe("404 ORGANIZATION_NOT_FOUND");
    expect(outcomeOf(await theirs.post(`${path}/tokens`, { password: theirs.user.password }))).toBe(
      "404 ORGANIZATION_NOT_FOUND",
    );
    expect(outcomeOf(await theirs.delete(`${path}/tokens/${tokenUuid}`))).toBe("404 ORGANIZATION_NOT_FOUND");
    expect(outcomeOf(await theirs.delete(`${other.path}/tokens/${tokenUuid}`))).toBe(
      "404 PROVISIONING_TOKEN_NOT_FOUND",
    );
    expect(outcomeOf(await theirs.put(`${path}/claim`, { claim: "groups", groups: [] }))).toBe(
      "404 ORGANIZATION_NOT_FOUND",
    );
    expect(outcomeOf(await manager.delete(`${path}/tokens/${tokenUuid}`))).toBe("204");
    expect(outcomeOf(await manager.delete(`${path}/tokens/${tokenUuid}`))).toBe("404 PROVISIONING_TOKEN_NOT_FOUND");
  });

  it("end with the organization", async () => {
    const { manager, scim, db } = await withDirectory();
    await manager.delete(`/v1/users/${manager.user.uuid}`, { password: manager.user.password });
    expect((await scim("GET", "/Users")).statusCode).toBe(401);
    expect(await db.selectFrom("provisioning_tokens").selectAll().execute()).toEqual([]);
  });
});
