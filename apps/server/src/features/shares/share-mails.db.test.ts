import { describe, expect, it } from "vitest";
import { sharing } from "../../testing/sharing.ts";
import { shareMail } from "./share-mail.ts";

describe("the mail about a share", () => {
  it("goes to each new person once, with the message and a link", async () => {
    const { robin, kim, gil, recipe, share, mails, other } = await sharing();
    const first = await robin.post(
      `/v1/recipes/${recipe}/share`,
      {
        recipients: { users: [gil.user.uuid, robin.user.uuid] },
        message: "Look at <this>\n\nand that.",
        organizations: [other],
      },
      // Links lead to the service, whatever a request calls it.
      { host: "evil.example" },
    );
    const [mail, ...none] = await mails();
    expect(none).toEqual([]);
    expect(mail).toMatchObject({ to_address: "gil@gils.test", subject: "robin Reed shared “Fern” with you" });
    expect(mail?.text).toContain("Look at <this>\n\nand that.\n\n");
    expect(mail?.html).toContain('<p style="margin:0 0 16px">Look at &lt;this&gt;</p>');
    expect(mail?.html).toContain(`href="http://localhost:0/start/${recipe}"`);
    await share(gil, kim);
    await robin.put(`/v1/shares/${first.json().uuid}`, { message: "Again" });
    expect((await mails()).map(({ to_address }) => to_address)).toEqual(["gil@gils.test", "kim@kims.test"]);
  });

  it("goes again to somebody who was taken out and is added again", async () => {
    const { robin, kim, gil, share, mails, uuidOf } = await sharing();
    const { uuid } = await share(gil, kim);
    for (const users of [[kim], [kim, gil]])
      await robin.put(`/v1/shares/${uuid}`, { recipients: { users: users.map(uuidOf) } });
    expect((await mails()).map(({ to_address }) => to_address)).toEqual([
      "gil@gils.test",
      "gil@gils.test",
      "kim@kims.test",
    ]);
  });

  it("goes to nobody who cannot sign in", async () => {
    const { kim, db, share, mails } = await sharing();
    await db.updateTable("users").set({ is_enabled: false }).where("uuid", "=", kim.user.uuid).execute();
    await share(kim);
    expect(await mails()).toEqual([]);
  });

  it("stays a mail whatever the recipe is called", () => {
    const { subject } = shareMail({
      to: { email: "gil@gils.test" },
      from: { email: "robin@robins.test", first_name: "", last_name: "" },
      recipe: { uuid: "1", name: `Fern\r\nBcc: kim@kims.test ${"x".repeat(600)}` },
      message: "",
      pagesAt: "https://devices.example.com",
    });
    expect(subject).toMatch(/^robin@robins\.test shared “Fern Bcc: kim@kims\.test x{400}/);
    expect(subject.length).toBeLessThanOrEqual(500);
  });
});
