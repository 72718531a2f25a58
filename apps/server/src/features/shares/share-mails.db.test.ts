import { describe, expect, it } from "vitest";
import { sharing } from "../../testing/sharing.ts";
import { mailedOrigin } from "./mailed-origin.ts";
import { shareMail } from "./share-mail.ts";

describe("the mail about a share", () => {
  it("goes to each new person once, with the message and a link", async () => {
    const { robin, kim, gil, recipe, share, shareAs, mails, other } = await sharing();
    const first = await shareAs(robin, {
      recipients: { users: [gil.user.uuid, robin.user.uuid] },
      message: "Look at <this>\n\nand that.",
      organizations: [other],
    });
    const [mail, ...none] = await mails();
    expect(none).toEqual([]);
    expect(mail).toMatchObject({ to_address: "gil@gils.test", subject: "robin Reed shared “Fern” with you" });
    expect(mail?.text).toContain("Look at <this>\n\nand that.\n\n");
    expect(mail?.html).toContain('<p style="margin:0 0 16px">Look at &lt;this&gt;</p>');
    expect(mail?.html).toContain(`href="http://localhost/start/${recipe}"`);
    await share(gil, kim);
    await robin.put(`/v1/shares/${first.json().uuid}`, { message: "Again" });
    expect((await mails()).map(({ to_address }) => to_address)).toEqual(["gil@gils.test", "kim@kims.test"]);
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
      origin: undefined,
    });
    expect(subject).toMatch(/^robin@robins\.test shared “Fern Bcc: kim@kims\.test x{400}/);
    expect(subject.length).toBeLessThanOrEqual(500);
  });
});

describe("mailedOrigin", () => {
  it.each([
    [undefined, "http://localhost:8080", "http://localhost:8080"],
    [undefined, "http://127.0.0.1:8080", "http://127.0.0.1:8080"],
    // The caller says so, and nobody else.
    [undefined, "https://evil.example", undefined],
    [undefined, "http://6.6.6.6", undefined],
    ["https://devices.example.com/", "https://evil.example", "https://devices.example.com"],
  ])("with the public URL %s and a request to %s is %s", (publicUrl, origin, expected) => {
    expect(mailedOrigin({ publicUrl }, { origin })).toBe(expected);
  });
});
