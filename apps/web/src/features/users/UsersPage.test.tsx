import type { ListedUser, User } from "@terrarium/contract";
import { useEffect } from "react";
import { useLocation } from "react-router";
import { beforeEach, describe, expect, it } from "vitest";
import { page, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { closeSnack, readSnacks } from "../../components/snack-queue.ts";
import { Snacks } from "../../components/Snacks.tsx";
import { MeContext } from "../../session/user.ts";
import { anId, aUser, manager } from "../../testing/factories.ts";
import { aPage, fakeService, refuse } from "../../testing/fake-service.ts";
import { InTestApp } from "../../testing/InTestApp.tsx";
import { typeAtOnce } from "../../testing/type-at-once.ts";
import UsersPage from "./UsersPage.tsx";

const listed = (fields: Partial<ListedUser>): ListedUser => {
  const uuid = fields.uuid ?? anId();
  return { ...aUser({ uuid, genyid: uuid }), invitation: null, ...fields };
};
const me = (): ListedUser => ({ ...listed({}), ...manager });
const kim = (fields: Partial<ListedUser> = {}) =>
  listed({ email: "kim@demo.test", first_name: "Kim", last_name: "Lee", is_organization_manager: false, ...fields });
const invitation = { sent_at: "2026-03-05T14:00:00.000Z", expires_at: "2099-03-05T14:00:00.000Z", has_failed: false };
const zoe = (fields: Partial<ListedUser> = {}) =>
  listed({
    email: "zoe@pot.test",
    first_name: "",
    last_name: "",
    is_validated: false,
    is_organization_manager: false,
    invitation,
    ...fields,
  });

beforeEach(async () => {
  for (const { id } of readSnacks()) closeSnack(id);
  localStorage.clear();
  await page.viewport(1440, 900);
});

let here = "";
function Address() {
  const { pathname, search } = useLocation();
  useEffect(() => {
    here = pathname + search;
  });
  return null;
}

const said = () => readSnacks().map(({ message }) => message);

/** The page over a service that keeps `users`; it refuses what `answers` says. */
async function open(users: ListedUser[], answers: Parameters<typeof fakeService>[0] = {}, address = "/") {
  const service = fakeService({
    "GET /v2/users": () => aPage([...users], Math.max(users.length, 30)),
    "PUT /v2/users/:uuid": ({ path, body }) => {
      const found = users.find(({ uuid }) => path.endsWith(uuid));
      const { invitation: _, ...user } = Object.assign(found!, body as Partial<User>);
      return user;
    },
    "POST /v1/accounts/invites/resend": () => ({ results: [] }),
    "DELETE /v1/accounts/invites/:uuid": () => null,
    ...answers,
  });
  const screen = await render(
    <InTestApp address={address}>
      <MeContext value={manager}>
        <UsersPage />
      </MeContext>
      <Snacks />
      <Address />
    </InTestApp>,
  );
  const row = (name: RegExp) => screen.getByRole("row", { name });
  const switchOf = (name: string) => screen.getByRole("switch", { name: `${name} may sign in` });
  const button = (name: string) => screen.getByRole("button", { name });
  const puts = () => service.to("PUT", /^\/v2\/users/).map(({ body }) => body);
  return { screen, service, row, switchOf, button, puts, dialog: screen.getByRole("dialog") };
}

describe("the table of users", () => {
  it("asks for them by creation and address, ten at a time, and shows everybody with what they are", async () => {
    const groups = [
      { uuid: anId(), name: "QA" },
      { uuid: anId(), name: "Shop" },
    ];
    const { screen, service, row } = await open([
      me(),
      kim({ groups }),
      kim({ first_name: "Moe", is_enabled: false }),
      zoe(),
    ]);
    await expect.element(row(/Kim Lee.*kim@demo\.test.*QA, Shop.*User.*Active/)).toBeVisible();
    await expect.element(row(/Moe Lee.*Denied/)).toBeVisible();
    await expect.element(row(/zoe@pot\.test.*Pending/)).toBeVisible();
    const heads = screen
      .getByRole("columnheader")
      .elements()
      .map(({ textContent }) => textContent);
    expect(heads.filter(Boolean)).toEqual(["Name", "Email", "Groups", "Role", "Status", "Actions"]);
    const { query } = service.to("GET", /users/)[0]!;
    expect(Object.fromEntries(query)).toEqual({ page: "1", page_size: "10", ordering: "created_at,email" });
  });

  it("has pages of 5, 10 and 25, and leads to the next", async () => {
    const { screen, service, button } = await open([me()]);
    await button("Next page").click();
    await expect.poll(() => service.to("GET", /users/).at(-1)?.query.get("page")).toBe("2");
    await screen.getByRole("combobox", { name: "Rows" }).click();
    const sizes = screen
      .getByRole("option")
      .elements()
      .map(({ textContent }) => textContent);
    expect(sizes).toEqual(["5", "10", "25"]);
  });

  it("seeks once when the keys rest, reads what the address says, and is read again on request", async () => {
    const { screen, service, button } = await open([me()], {}, "/?search=kim&status=disabled&ordering=-email");
    await expect.element(screen.getByLabelText("Search users")).toHaveValue("kim");
    const first = service.to("GET", /users/)[0]!.query;
    expect([first.get("search"), first.get("status"), first.get("ordering")]).toEqual(["kim", "disabled", "-email"]);
    const before = service.calls.length;
    typeAtOnce(screen.getByLabelText("Search users").element() as HTMLInputElement, "l", "le", "lee");
    await expect.poll(() => service.to("GET", /users/).at(-1)?.query.get("search")).toBe("lee");
    expect(service.calls.length).toBe(before + 1);
    const asked = service.calls.length;
    await button("Refresh").click();
    await expect.poll(() => service.calls.length).toBe(asked + 1);
  });

  it("has the search above the cards on a phone", async () => {
    await page.viewport(390, 844);
    const { screen } = await open([me(), kim(), zoe()]);
    const list = screen.getByRole("list", { name: "Users" });
    await expect.element(list).toBeVisible();
    const search = screen.getByLabelText("Search users").element().getBoundingClientRect();
    expect(search.bottom).toBeLessThanOrEqual(list.element().getBoundingClientRect().top);
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
  });

  it("says that the users did not load", async () => {
    const { screen } = await open([], { "GET /v2/users": refuse("INTERNAL_ERROR") });
    await expect.element(screen.getByText("Fail to fetch users.")).toBeVisible();
  });

  it("shows who is pending in italics, and whose link expired or mail was refused", async () => {
    const past = "2020-03-05T14:00:00.000Z";
    const { screen, row } = await open([
      zoe(),
      zoe({ email: "old@pot.test", invitation: { ...invitation, expires_at: past } }),
      zoe({ email: "bad@pot.test", invitation: { ...invitation, has_failed: true } }),
    ]);
    await expect.element(row(/old@pot\.test.*link expired/)).toBeVisible();
    await expect.element(row(/bad@pot\.test.*mail refused/)).toBeVisible();
    expect(getComputedStyle(screen.getByText("Pending").first().element()).fontStyle).toBe("italic");
    expect(screen.getByRole("switch").elements()).toEqual([]);
  });
});

it("says on focus until when an invitation works", async () => {
  const { screen } = await open([zoe()]);
  const pending = screen.getByText("Pending");
  await expect.element(pending).toBeVisible();
  // Whoever used the mouse last sees no focus.
  await userEvent.keyboard("{Shift}");
  pending.element().closest<HTMLElement>("[tabindex]")!.focus();
  await expect.element(screen.getByRole("tooltip", { name: /^Invited, the link works until .*2099/ })).toBeVisible();
});

describe("the status of somebody", () => {
  it("is switched, and the row shows it at once; one’s own has no switch", async () => {
    const held = Promise.withResolvers<void>();
    const user = kim();
    const { screen, switchOf, puts, service } = await open([me(), user], {
      "PUT /v2/users/:uuid": async ({ body }) => {
        await held.promise;
        return { ...user, ...(body as object) };
      },
    });
    await expect.element(switchOf("Kim Lee")).toBeChecked();
    expect(screen.getByRole("switch").elements()).toHaveLength(1);
    const reads = service.to("GET", /users/).length;
    await switchOf("Kim Lee").click();
    await expect.element(switchOf("Kim Lee")).not.toBeChecked();
    await expect.element(screen.getByText("Denied")).toBeVisible();
    expect(document.querySelectorAll("[aria-busy=true]")).toHaveLength(1);
    // Once more changes nothing while that is under way.
    await switchOf("Kim Lee").click({ force: true });
    held.resolve();
    await expect.poll(() => document.querySelectorAll("[aria-busy=true]").length).toBe(0);
    await expect.element(switchOf("Kim Lee")).not.toBeChecked();
    expect([puts(), service.to("GET", /users/).length]).toEqual([[{ is_enabled: false }], reads]);
  });

  it("stays as it was switched when the list was being read before that", async () => {
    const user = kim();
    const old = Promise.withResolvers<void>();
    let reads = 0;
    const { switchOf, button, puts, service } = await open([user], {
      "GET /v2/users": async () => {
        const rows = [{ ...user }];
        if (++reads === 2) await old.promise;
        return aPage(rows);
      },
      "PUT /v2/users/:uuid": ({ body }) => Object.assign(user, body as object),
    });
    await expect.element(switchOf("Kim Lee")).toBeChecked();
    await button("Refresh").click();
    await expect.poll(() => reads).toBe(2);
    await switchOf("Kim Lee").click();
    await expect.poll(() => puts().length).toBe(1);
    await expect.poll(() => service.to("GET", /users/).length).toBe(3);
    old.resolve();
    await expect.poll(() => document.querySelectorAll("[aria-busy=true]").length).toBe(0);
    await expect.element(switchOf("Kim Lee")).not.toBeChecked();
  });

  it("returns to what it was when that is refused", async () => {
    const { switchOf } = await open([kim()], { "PUT /v2/users/:uuid": refuse("INTERNAL_ERROR") });
    await switchOf("Kim Lee").click();
    await expect.poll(said).toEqual(["The status of Kim Lee was not changed. Try again."]);
    await expect.element(switchOf("Kim Lee")).toBeChecked();
  });

  it("stays when the operator has denied it, and it is said whom to ask", async () => {
    const { switchOf } = await open([kim({ is_enabled: false })], {
      "PUT /v2/users/:uuid": refuse("DISABLED_BY_OPERATOR"),
    });
    await switchOf("Kim Lee").click();
    await expect
      .poll(said)
      .toEqual(["The operator of this service has denied Kim Lee access. Only the operator can undo that: ask there."]);
    await expect.element(switchOf("Kim Lee")).not.toBeChecked();
  });

  it("of several is denied after a question, and oneself and the invited are left out", async () => {
    const { screen, button, dialog, puts } = await open([me(), kim(), kim({ first_name: "Moe" }), zoe()]);
    await screen.getByRole("checkbox", { name: "Select all rows" }).click();
    await expect.element(button("Resend 1 invitation")).toBeVisible();
    await button("Deny 2 users").click();
    expect(puts()).toEqual([]);
    await dialog.getByRole("button", { name: "Deny 2 users" }).click();
    await expect.poll(puts).toEqual([{ is_enabled: false }, { is_enabled: false }]);
  });
});

describe("the role of somebody", () => {
  it("is changed by an action of the row", async () => {
    const { row, button, puts } = await open([me(), kim()]);
    await button("Make Kim Lee a manager").click();
    await expect.element(row(/Kim Lee.*Manager/)).toBeVisible();
    await button("Make Kim Lee a user").click();
    await expect.element(row(/Kim Lee.*User/)).toBeVisible();
    expect(puts()).toEqual([{ is_organization_manager: true }, { is_organization_manager: false }]);
  });

  it("stays when that is refused, which is said", async () => {
    const { row, button } = await open([kim()], { "PUT /v2/users/:uuid": refuse("INTERNAL_ERROR") });
    await button("Make Kim Lee a manager").click();
    await expect.poll(said).toEqual(["The role of Kim Lee was not changed. Try again."]);
    await expect.element(row(/Kim Lee.*User/)).toBeVisible();
  });
});

it("leads from somebody to what they did, by their address", async () => {
  const { button } = await open([kim()]);
  await button("Show what Kim Lee did").click();
  await expect.poll(() => here).toBe("/administration/audit?search=kim%40demo.test");
});

describe("the names of somebody", () => {
  it("are there to be edited, and saved", async () => {
    const { row, button, dialog, puts } = await open([kim()]);
    await button("Edit Kim Lee").click();
    await expect.element(dialog.getByLabelText("Last name")).toHaveValue("Lee");
    await userEvent.fill(dialog.getByLabelText("First name"), "Kimberly");
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect.element(row(/Kimberly Lee/)).toBeVisible();
    expect(puts()).toEqual([{ first_name: "Kimberly", last_name: "Lee" }]);
  });

  it("are edited by keys alone, and the focus is on the row’s action again", async () => {
    const { button, dialog, puts, row } = await open([kim()]);
    await expect.element(button("Edit Kim Lee")).toBeVisible();
    (button("Edit Kim Lee").element() as HTMLElement).focus();
    await userEvent.keyboard("{Enter}");
    await expect.element(dialog.getByLabelText("First name")).toHaveFocus();
    await userEvent.fill(dialog.getByLabelText("First name"), "Kimberly");
    await userEvent.keyboard("{Enter}");
    await expect.element(row(/Kimberly Lee/)).toBeVisible();
    await expect.element(dialog).not.toBeInTheDocument();
    await expect.element(button("Edit Kimberly Lee")).toHaveFocus();
    expect(puts()).toHaveLength(1);
  });

  it("stay in the dialog when they are refused, which is said", async () => {
    const { button, dialog } = await open([kim()], { "PUT /v2/users/:uuid": refuse("INTERNAL_ERROR") });
    await button("Edit Kim Lee").click();
    await userEvent.fill(dialog.getByLabelText("First name"), "Kimberly");
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect.poll(said).toEqual(["Kim Lee was not changed. Try again."]);
    await expect.element(dialog.getByLabelText("First name")).toHaveValue("Kimberly");
  });
});

describe("an invitation", () => {
  it("is sent again, alone and with others", async () => {
    const [one, two] = [zoe(), zoe({ email: "moe@pot.test" })];
    const { screen, service, button } = await open([one, two]);
    await button("Send the invitation to zoe@pot.test again").click();
    await expect.poll(said).toEqual(["Invitation sent to zoe@pot.test again."]);
    await screen.getByRole("checkbox", { name: "Select all rows" }).click();
    await button("Resend 2 invitations").click();
    await expect.poll(said).toContain("2 invitations sent again.");
    expect(service.to("POST", /resend/).map(({ body }) => body)).toEqual([
      { genyids: [one.genyid] },
      { genyids: [one.genyid, two.genyid] },
    ]);
  });

  it("shows in its row that it is being sent", async () => {
    const held = Promise.withResolvers<void>();
    const { button, row } = await open([zoe()], {
      "POST /v1/accounts/invites/resend": () => held.promise.then(() => ({ results: [] })),
    });
    await button("Send the invitation to zoe@pot.test again").click();
    const isSending = () =>
      row(/zoe@pot/)
        .element()
        .querySelector("[aria-busy=true]") !== null;
    await expect.poll(isSending).toBe(true);
    held.resolve();
    await expect.poll(isSending).toBe(false);
  });

  it.each([
    ["INTERNAL_ERROR", "The invitations were not sent again. Try again."],
    ["TOO_MANY_REQUESTS", "No more invitations can be sent now. Try again in an hour."],
  ] as const)("that is not sent again is said: %s", async (code, message) => {
    const { button } = await open([zoe()], { "POST /v1/accounts/invites/resend": refuse(code) });
    await button("Send the invitation to zoe@pot.test again").click();
    await expect.poll(said).toEqual([message]);
  });

  it("is canceled after a question", async () => {
    const { service, button, dialog } = await open([zoe()]);
    await button("Cancel the invitation to zoe@pot.test").click();
    expect(service.to("DELETE", /invites/)).toEqual([]);
    await dialog.getByRole("button", { name: "Cancel invitation" }).click();
    await expect.poll(() => service.to("DELETE", /invites/).length).toBe(1);
  });
});

describe("the dialog to invite people", () => {
  /** The open dialog, over a service that answers as told. */
  async function asking(answer: () => unknown = () => ({ results: [] })) {
    const opened = await open([me()], { "POST /v1/accounts/invites": answer });
    await opened.button("Invite people").click();
    const { dialog, service } = opened;
    return {
      ...opened,
      type: (text: string) => userEvent.fill(dialog.getByLabelText("Email addresses"), text),
      send: () => dialog.getByRole("button", { name: "Send invitations" }).click(),
      sent: () => service.to("POST", /invites$/).map(({ body }) => body),
    };
  }
  const invited = (email: string) => ({ email, outcome: "invited", uuid: anId() });

  it.each([1440, 390])("has room for the longest address, at %i pixels", async (width) => {
    await page.viewport(width, 900);
    const { dialog, type } = await asking();
    await type(`${"a".repeat(64)}@${"b".repeat(60)}.example `);
    await expect.element(dialog.getByText(/^a{64}@/)).toBeVisible();
    const box = (element: Element) => element.getBoundingClientRect();
    expect(box(dialog.getByLabelText("Message (optional)").element()).right).toBeLessThan(box(dialog.element()).right);
    expect(box(dialog.getByRole("button", { name: /^Remove a/ }).element()).right).toBeLessThan(
      box(dialog.element()).right,
    );
  });

  it("sends addresses and the message, and asks nobody whom to offer", async () => {
    const { dialog, type, send, sent, service } = await asking(() => ({
      results: [invited("a@b.co"), invited("c@d.co")],
    }));
    await type("a@b.co,c@d.co;A@b.co ");
    await userEvent.fill(dialog.getByLabelText("Message (optional)"), " Hello ");
    await send();
    await expect.poll(said).toEqual(["2 invitations sent."]);
    expect(sent()).toEqual([{ emails: ["a@b.co", "c@d.co"], optionalMessage: "Hello" }]);
    expect(service.to("GET", /users/).filter(({ query }) => query.has("search"))).toEqual([]);
    await expect.element(dialog).not.toBeInTheDocument();
  });

  it.each([
    ["", "Required"],
    ["abc ", "Some emails are invalid."],
    [`${Array.from({ length: 51 }, (_, count) => `p${count}@b.co`).join(",")},`, "Too many emails. Limit is 50."],
  ])("does not send %j", async (text, message) => {
    const { dialog, type, send, sent } = await asking();
    if (text) await type(text);
    await send();
    await expect.element(dialog.getByText(message)).toBeVisible();
    expect(sent()).toEqual([]);
  });

  it("does not send a message of 501 characters", async () => {
    const { dialog, type, send, sent } = await asking();
    await type("a@b.co ");
    await userEvent.fill(dialog.getByLabelText("Message (optional)"), "x".repeat(501));
    await send();
    await expect.element(dialog.getByText("Use up to 500 characters")).toBeVisible();
    expect(sent()).toEqual([]);
  });

  it("says what became of each when some belong to the organization already", async () => {
    const results = [invited("a@b.co"), { email: "kim@demo.test", outcome: "already_member", uuid: null }];
    const { dialog, type, send } = await asking(() => ({ results }));
    await type("a@b.co kim@demo.test ");
    await send();
    const items = dialog.getByRole("list", { name: "What became of it" }).getByRole("listitem");
    const texts = () => items.elements().map(({ textContent }) => textContent);
    await expect.poll(texts).toEqual(["a@b.coInvited", "kim@demo.testBelongs to your organization already"]);
  });

  it("says at the field that all of them belong to it", async () => {
    const { dialog, type, send } = await asking(refuse("ALREADY_MEMBERS"));
    await type("kim@demo.test ");
    await send();
    await expect.element(dialog.getByText("These people belong to your organization already.")).toBeVisible();
    expect(said()).toEqual([]);
  });

  it("says that nothing was sent, and keeps what was typed", async () => {
    const { dialog, type, send } = await asking(refuse("INTERNAL_ERROR"));
    await type("kim@demo.test ");
    await send();
    await expect.poll(said).toEqual(["The invitations were not sent. Try again."]);
    await expect.element(dialog.getByText("kim@demo.test")).toBeVisible();
  });
});
