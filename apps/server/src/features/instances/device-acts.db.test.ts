import { describe, expect, it } from "vitest";
import { createLog } from "../../platform/log.ts";
import { createTestApp } from "../../testing/app.ts";
import { anOrganization } from "../../testing/factories.ts";
import { DeviceActs } from "./device-acts.ts";

/** A person with a device, and a gateway that notes what is done to it. */
async function setUp() {
  const test = await createTestApp();
  const organization = await anOrganization(test.db);
  const robin = await test.as({ organization });
  const device = (await robin.start()).json<{ uuid: string }>().uuid;
  const { uuid: credential } = await test.db.selectFrom("sessions").select("uuid").executeTakeFirstOrThrow();
  const acts = new DeviceActs({ ...test, log: createLog("silent", "test") });
  const who = { instanceUuid: device, user: robin.user.uuid, credential, cameAs: "user" as const, organization };
  /** What the audit log has of it in the end. */
  const recorded = async () => {
    await acts.stop();
    const rows = test.db.selectFrom("audit_records").selectAll().where("subject_uuid", "=", device);
    return (await rows.where("action", "!=", "instance.start").orderBy("id").execute()).map((row) => ({
      action: row.action,
      outcome: row.outcome,
      actor: `${row.actor_kind} ${row.actor_uuid}`,
      credential: row.credential_uuid,
      organization: row.organization_uuid,
      address: row.address,
      details: row.details,
    }));
  };
  return { ...test, organization, robin, device, who, acts, recorded };
}

describe("what is done to a device", () => {
  it("is recorded with who, by what, from where, and what it was", async () => {
    const { acts, who, recorded, organization, robin } = await setUp();
    acts.note(who, "203.0.113.7", { action: "instance.open_shell" });
    const token = crypto.randomUUID();
    const details = { path: "/sdcard/leaf", bytes: 7 };
    acts.note({ ...who, credential: token, cameAs: "token" }, "", {
      action: "instance.delete_file",
      outcome: "refused",
      details,
    });
    const of = { organization, outcome: "done" };
    expect(await recorded()).toEqual([
      {
        ...of,
        action: "instance.open_shell",
        actor: `user ${robin.user.uuid}`,
        credential: who.credential,
        address: "203.0.113.7",
        details: {},
      },
      {
        ...of,
        action: "instance.delete_file",
        outcome: "refused",
        actor: `token ${robin.user.uuid}`,
        credential: token,
        address: null,
        details,
      },
    ]);
  });

  it("is recorded whatever a path is like, as far as it fits", async () => {
    const { acts, who, recorded } = await setUp();
    const paths = ["/\u0001".repeat(500), `/${"x".repeat(498)}\u{1d49c}`, "/\ud800", "/\u2028'\"\\"];
    for (const path of paths) acts.note(who, "", { action: "instance.delete_file", details: { path } });
    const found = (await recorded()).map(({ details }) => (details as { path: string }).path.length);
    expect(found.toSorted((a, b) => a - b)).toEqual([2, 5, 500, 500]);
  });

  it("is counted when it is a flood, for each person and device, and others are recorded all the same", async () => {
    const { acts, who, recorded, clock, robin } = await setUp();
    const other = (await robin.start()).json<{ uuid: string }>().uuid;
    const remove = (at: string) =>
      acts.note(at === "one" ? who : { ...who, instanceUuid: other }, "", { action: "instance.delete_file" });
    for (let nth = 0; nth < 1_000; nth++) remove("one");
    remove("other");
    acts.note(who, "", { action: "instance.open_shell" });
    await clock.advance(60_000);
    for (let nth = 0; nth < 2; nth++) remove("one");
    const all = (await recorded()).map(({ action, actor, details }) => ({ action, actor, details }));
    const actor = `user ${robin.user.uuid}`;
    const deletions = all.filter(({ action }) => action === "instance.delete_file");
    expect(deletions).toHaveLength(30 + 1 + 2);
    expect(deletions).toContainEqual({ action: "instance.delete_file", actor, details: { not_recorded: 970 } });
    expect(all.filter(({ action }) => action === "instance.open_shell")).toHaveLength(1);
  });

  it("is not hidden by what was refused, and nobody has more for having many tokens", async () => {
    const { acts, who, recorded } = await setUp();
    const action = "instance.delete_file";
    for (let nth = 0; nth < 31; nth++) acts.note(who, "", { action, outcome: "refused", details: { path: "/none" } });
    acts.note(who, "", { action, details: { path: "/sdcard/real" } });
    for (let nth = 0; nth < 40; nth++)
      acts.note({ ...who, credential: crypto.randomUUID(), cameAs: "token" }, "", { action: "instance.open_adb" });
    const all = await recorded();
    const deletions = all.filter((each) => each.action === action);
    expect(deletions).toHaveLength(32);
    expect(deletions).toContainEqual(expect.objectContaining({ outcome: "done", details: { path: "/sdcard/real" } }));
    expect(deletions).toContainEqual(expect.objectContaining({ outcome: "refused", details: { not_recorded: 1 } }));
    const tunnels = all.filter((each) => each.action === "instance.open_adb");
    expect(tunnels).toHaveLength(31);
    expect(tunnels).toContainEqual(expect.objectContaining({ credential: null, details: { not_recorded: 10 } }));
  });

  it("takes nothing from other organizations, and all that is counted has one", async () => {
    const { acts, who, recorded, db, organization } = await setUp();
    const other = await anOrganization(db);
    const action = "instance.open_shell";
    for (let nth = 0; nth < 720; nth++)
      acts.note({ ...who, organization: other, instanceUuid: crypto.randomUUID() }, "", { action });
    acts.note(who, "", { action });
    expect(await recorded()).toMatchObject([{ action, organization, details: {} }]);
    const rows = db.selectFrom("audit_records").selectAll().where("organization_uuid", "=", other);
    const sums = (await rows.execute()).map(({ details }) => (details as { not_recorded?: number }).not_recorded);
    expect([sums.length, sums.filter((sum) => sum === 1).length, sums.includes(20)]).toEqual([701, 100, true]);
  });

  it("is by whom it was, also after they have signed out", async () => {
    const { acts, who, recorded, db, robin } = await setUp();
    await db.deleteFrom("sessions").execute();
    acts.note(who, "", { action: "instance.open_shell" });
    expect(await recorded()).toMatchObject([{ actor: `user ${robin.user.uuid}`, credential: who.credential }]);
  });

  it("by strangers, who have come with nothing, is not", async () => {
    const { acts, who, recorded } = await setUp();
    acts.note({ ...who, credential: undefined }, "", { action: "instance.open_shell" });
    expect(await recorded()).toEqual([]);
  });
});
