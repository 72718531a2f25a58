import type { ListedUser } from "@terrarium/contract";
import { describe, expect, it } from "vitest";
import { cancelMails } from "../../platform/mail/send-mail.ts";
import { createTestApp } from "../../testing/app.ts";
import { aUser } from "../../testing/factories.ts";

const DAY_MS = 24 * 60 * 60_000;

/** An organization with everybody there can be in it. */
async function organized() {
  const test = await createTestApp();
  const mara = await test.as({ role: "manager", fields: { email: "mara@fern.test" } });
  const organization = mara.user.organization_uuid ?? "";
  const robin = await test.as({ organization, fields: { email: "robin@fern.test" } });
  await aUser(test.db, { organization, fields: { email: "denied@fern.test", is_enabled: false } });
  await test.clock.advance(1000);
  await mara.post("/v1/accounts/invites", { emails: ["zoe@pot.test", "guest@pot.test"] });
  await test.as({ role: "guest", fields: { email: "guest@pot.test", first_name: "Secret" } });
  const listed = async (query = "", as = mara) =>
    (await as.get(`/v2/users?${query}`)).json<{ results: ListedUser[] }>();
  const emails = async (query?: string, as = mara) => (await listed(query, as)).results.map(({ email }) => email);
  return { ...test, organization, mara, robin, listed, emails };
}

describe("the list of users", () => {
  it("has for a manager those who are invited, by the identifier of the invitation", async () => {
    const { mara, clock, listed, emails } = await organized();
    const all = ["denied@fern.test", "mara@fern.test", "robin@fern.test", "guest@pot.test", "zoe@pot.test"];
    expect([await emails("ordering=created_at,email"), (await listed()).results[0]?.invitation]).toEqual([all, null]);
    const invited = (await mara.get("/v1/accounts/invites")).json<{ results: { uuid: string; email: string }[] }>();
    const guest = (await listed("search=guest")).results[0];
    expect(guest).toMatchObject({
      uuid: invited.results.find(({ email }) => email === "guest@pot.test")?.uuid,
      // Nothing of the account that has the address.
      first_name: "",
      is_validated: false,
      is_organization_manager: false,
      invitation: {
        sent_at: new Date(clock.now()).toISOString(),
        expires_at: new Date(clock.now() + 30 * DAY_MS).toISOString(),
        has_failed: false,
      },
    });
  });

  it("has for others only those who have joined", async () => {
    const { robin, emails } = await organized();
    expect((await emails("", robin)).filter((email) => email.endsWith("pot.test"))).toEqual([]);
  });

  it("is counted, sorted and cut with them", async () => {
    const { listed } = await organized();
    const page = await listed("ordering=-email&page=2&page_size=2");
    expect([page, page.results.map(({ email }) => email)]).toEqual([
      expect.objectContaining({ count: 5 }),
      ["mara@fern.test", "guest@pot.test"],
    ]);
  });

  it.each([
    ["status=pending", ["guest@pot.test", "zoe@pot.test"]],
    ["status=disabled", ["denied@fern.test"]],
    ["status=disabled,pending", ["denied@fern.test", "guest@pot.test", "zoe@pot.test"]],
    ["search=zoe&search_field=email", ["zoe@pot.test"]],
    // To whom something is to be sent: who is invited has no account to send it to.
    ["users=zoe@pot.test,robin@fern.test", ["robin@fern.test"]],
    ["emails=ROBIN@fern.test", ["robin@fern.test"]],
  ])("shows by %s", async (query, expected) => {
    const { emails } = await organized();
    expect(await emails(`${query}&ordering=email`)).toEqual(expected);
  });

  it("says whose mail was refused, until another is sent", async () => {
    const { db, clock, mara, listed } = await organized();
    await cancelMails(db, new Date(clock.now()), "550 no such mailbox");
    const failed = async () =>
      (await listed("status=pending&ordering=email")).results.map(({ invitation }) => invitation?.has_failed);
    expect(await failed()).toEqual([true, true]);
    await mara.post("/v1/accounts/invites", { emails: ["zoe@pot.test"] });
    expect(await failed()).toEqual([true, false]);
  });

  it("has somebody once who has joined without the link", async () => {
    const { db, organization, listed } = await organized();
    await db
      .updateTable("users")
      .set({ organization_uuid: organization })
      .where("email", "=", "guest@pot.test")
      .execute();
    const found = (await listed("search=guest")).results;
    expect(found.map(({ first_name }) => first_name)).toEqual(["Secret"]);
  });

  it("has who has not confirmed their address yet among those who are pending", async () => {
    const { db, organization, emails } = await organized();
    await aUser(db, { organization, fields: { email: "early@fern.test", is_validated: false } });
    expect(await emails("status=pending&ordering=email")).toContain("early@fern.test");
    expect(await emails("status=enabled&ordering=email")).toEqual(["mara@fern.test", "robin@fern.test"]);
  });

  it("shows nobody who is invited elsewhere", async () => {
    const { as, emails } = await organized();
    const stranger = await as({ role: "manager" });
    expect((await emails("", stranger)).filter((email) => email.endsWith("pot.test"))).toEqual([]);
  });
});
