import type { ErrorCode, User } from "@terrarium/contract";
import { describe, expect, it } from "vitest";
import { userEvent } from "vitest/browser";
import { aUser } from "../../testing/factories.ts";
import { aPage, refuse } from "../../testing/fake-service.ts";
import { nameless } from "../../testing/names.ts";
import { soon } from "../../testing/soon.ts";
import { aMember, openGroups, someGroups } from "./testing/open-groups.tsx";

type Answers = NonNullable<Parameters<typeof openGroups>[1]>["answers"];

/** The page at Android, where Ada and Ben are. */
async function openAndroid(answers: Answers = {}, data = someGroups()) {
  const page = await openGroups(data, { address: `?group=${data.android.uuid}`, answers });
  await expect.element(page.screen.getByRole("row", { name: /Ada Moss/ })).toBeVisible();
  return { ...page, data, act: (name: string) => page.screen.getByRole("button", { name, exact: true }).click() };
}
const usersOf = ({ uuid }: { uuid: string }) => new RegExp(`groups/${uuid}/users$`);

describe("deleting a group", () => {
  it("says where its users and subgroups go, and deletes it", async () => {
    const { dialog, act, press, service, search, data } = await openAndroid();
    await act("Delete group");
    await expect.element(dialog.getByRole("heading", { name: "Delete “Android”?" })).toBeVisible();
    await expect.element(dialog.getByText("Its 2 users move to Mobile.")).toBeVisible();
    await expect.element(dialog.getByText("Its 1 subgroup moves to Mobile.")).toBeVisible();
    await press("Delete group");
    await soon(() => expect(service.to("DELETE", new RegExp(`groups/${data.android.uuid}$`))).toHaveLength(1));
    // What was above it is shown in its place.
    await soon(() => expect(search()).toBe(`?group=${data.mobile.uuid}`));
  });

  it("names the default group for users of one at the top", async () => {
    const data = someGroups();
    data.mobile.user_count = 1;
    const { dialog, screen } = await openGroups(data, { address: `?group=${data.mobile.uuid}` });
    await screen.getByRole("button", { name: "Delete group" }).click();
    await expect.element(dialog.getByText("Its 1 user moves to Everyone.")).toBeVisible();
    await expect.element(dialog.getByText("Its 2 subgroups move to the top.")).toBeVisible();
  });

  it.each([
    ["GROUP_IS_DEFAULT", "New users join this group. Make another group the default first."],
    ["INTERNAL_ERROR", "Fail to delete group."],
  ] as const)("says what was refused: %s", async (code, sentence) => {
    const { dialog, act, press } = await openAndroid({ "DELETE /v1/groups/:uuid": refuse(code) });
    await act("Delete group");
    await press("Delete group");
    await expect.element(dialog.getByText(sentence)).toBeVisible();
  });
});

describe("adding users", () => {
  it("offers five of those who match once the keys rest, and then all of them", async () => {
    const users = Array.from({ length: 7 }, (_, index) => aMember(`Moss${index}`));
    const { act, dialog, screen, service } = await openAndroid({
      "GET /v2/users": ({ query }) => {
        const size = Number(query.get("page_size"));
        return { ...aPage(size === -1 ? users : users.slice(0, size)), count: users.length };
      },
    });
    await act("Add users");
    const field = dialog.getByRole("combobox", { name: "Email addresses" });
    const asked = () =>
      service.to("GET", /v2.users$/).flatMap(({ query }) => (query.has("search") ? [query.get("page_size")] : []));
    await field.fill("mo");
    await field.fill("moss");
    const began = performance.now();
    await expect.element(screen.getByRole("option", { name: /Moss4/ })).toBeVisible();
    expect(performance.now() - began).toBeGreaterThan(400);
    expect(asked()).toEqual(["5"]);
    expect(screen.getByRole("option").elements()).toHaveLength(6);
    await userEvent.keyboard("{ArrowUp}{Enter}");
    await expect.element(screen.getByRole("option", { name: /Moss6/ })).toBeVisible();
    expect(asked()).toEqual(["5", "-1"]);
    expect(screen.getByRole("option").elements()).toHaveLength(7);
    await screen.getByRole("option", { name: /Moss6/ }).click();
    await expect.element(dialog.getByText("moss6@demo.test", { exact: true })).toBeVisible();
    await expect.element(field).toHaveValue("");
  });

  async function add(emails: string, users: User[], answers: Answers = {}) {
    const page = await openAndroid({ "GET /v2/users": () => aPage(users), ...answers });
    await page.act("Add users");
    await page.dialog.getByRole("combobox", { name: "Email addresses" }).fill(`${emails} `);
    await page.press("Add users");
    return page;
  }

  it("finds them by their addresses", async () => {
    const { cleo } = someGroups();
    const { data, dialog, sent } = await add("CLEO@demo.test", [cleo]);
    await soon(() => expect(sent("POST", usersOf(data.android))).toEqual({ user_uuids: [cleo.uuid] }));
    await expect.element(dialog).not.toBeInTheDocument();
  });

  it("names addresses that nobody has, and takes them out", async () => {
    const { cleo } = someGroups();
    const { data, dialog, press, sent, service } = await add("cleo@demo.test dan@demo.test", [cleo]);
    await expect.element(dialog.getByText("Some emails weren't found in the organization.")).toBeVisible();
    expect(service.to("POST", /users$/)).toEqual([]);
    expect(nameless()).toEqual([]);
    await press("Remove it");
    await press("Add users");
    await soon(() => expect(sent("POST", usersOf(data.android))).toEqual({ user_uuids: [cleo.uuid] }));
  });

  it("does not find a guest, who is in no organization", async () => {
    const guest = aUser({ email: "guest@demo.test", organization: null });
    const { dialog, service } = await add("guest@demo.test", [guest]);
    await expect.element(dialog.getByText("Some emails weren't found in the organization.")).toBeVisible();
    expect(service.to("POST", /users$/)).toEqual([]);
  });

  it("takes 50 at a time, and at least one", async () => {
    const { dialog, press, service } = await add("", []);
    await expect.element(dialog.getByText("Required")).toBeVisible();
    const many = Array.from({ length: 51 }, (_, index) => `user${index}@demo.test`).join(" ");
    await dialog.getByRole("combobox", { name: "Email addresses" }).fill(`${many} `);
    await press("Add users");
    await expect.element(dialog.getByText("Too many emails. Limit is 50.")).toBeVisible();
    expect(service.to("POST", /users$/)).toEqual([]);
  });

  it("says that it failed", async () => {
    const { cleo } = someGroups();
    const { dialog } = await add("cleo@demo.test", [cleo], {
      "(POST|PUT) /v1/groups/:uuid/users": refuse("INTERNAL_ERROR"),
    });
    await expect.element(dialog.getByText("Fail to add users to the group.")).toBeVisible();
  });
});

describe("moving and removing users", () => {
  it("removes one, once that is confirmed", async () => {
    const { data, dialog, act, press, sent } = await openAndroid();
    await act("Remove Ada Moss from the group");
    await expect.element(dialog.getByRole("heading", { name: "Remove Ada Moss from “Android”?" })).toBeVisible();
    await press("Remove 1 user");
    await soon(() => expect(sent("DELETE", usersOf(data.android))).toEqual({ user_uuids: [data.ada.uuid] }));
  });

  it("moves one to another group, which must be chosen and another", async () => {
    const { data, dialog, act, press, sent, service } = await openAndroid();
    await act("Move Ada Moss to another group");
    await press("Move 1 user");
    await expect.element(dialog.getByText("Choose a group.")).toBeVisible();
    await dialog.getByRole("treeitem", { name: /^Android/ }).click();
    await expect.element(dialog.getByText("They are in this group already.")).toBeVisible();
    await press("Move 1 user");
    expect(service.to("PUT", /users$/)).toEqual([]);
    await dialog.getByRole("textbox", { name: "Search groups" }).fill("every");
    await expect.element(dialog.getByRole("treeitem", { name: /^Mobile/ })).not.toBeInTheDocument();
    await dialog.getByRole("treeitem", { name: /^Everyone/ }).click();
    await press("Move 1 user");
    await soon(() =>
      expect(sent("PUT", usersOf(data.everyone))).toEqual([
        { user_uuid: data.ada.uuid, original_group_uuid: data.android.uuid },
      ]),
    );
  });

  it("moves one by keys alone, from the row’s actions to the group in the tree", async () => {
    const { data, screen, dialog, sent } = await openAndroid();
    (screen.getByRole("row", { name: /Ada Moss/ }).element() as HTMLElement).focus();
    await userEvent.keyboard("{Shift>}{F10}{/Shift}");
    await expect.element(screen.getByRole("menuitem", { name: "Move to another group" })).toBeVisible();
    await userEvent.keyboard("{Enter}");
    await expect.element(dialog.getByRole("textbox", { name: "Search groups" })).toHaveFocus();
    await userEvent.keyboard("{Tab}{End}");
    const [everyone, ios] = ["Everyone", "iOS"].map((name) =>
      dialog.getByRole("treeitem", { name: new RegExp(`^${name}`) }),
    );
    await expect.element(ios!).toHaveFocus();
    await userEvent.keyboard("{Home}{Enter}");
    await expect.element(everyone!).toHaveAttribute("aria-selected", "true");
    await userEvent.keyboard("{End} ");
    await expect.element(ios!).toHaveAttribute("aria-selected", "true");
    await userEvent.keyboard("{Tab}{Tab}");
    await expect.element(dialog.getByRole("button", { name: "Move 1 user" })).toHaveFocus();
    await userEvent.keyboard("{Enter}");
    await soon(() =>
      expect(sent("PUT", usersOf(data.ios))).toEqual([
        { user_uuid: data.ada.uuid, original_group_uuid: data.android.uuid },
      ]),
    );
    await expect.element(dialog).not.toBeInTheDocument();
    // Said to whoever does not see it, and the keys go on in the table.
    await expect.element(screen.getByText("Moved 1 user to iOS")).toBeInTheDocument();
    await soon(() => expect(document.activeElement?.closest("table")).not.toBeNull());
  });

  it("goes on with the keys where the last user was", async () => {
    const data = someGroups();
    data.members.set(data.android.uuid, [data.ada]);
    const moved = () => {
      data.members.set(data.android.uuid, []);
      return data.ios;
    };
    const { dialog, act, press } = await openAndroid({ "(POST|PUT) /v1/groups/:uuid/users": moved }, data);
    await act("Move Ada Moss to another group");
    await dialog.getByRole("treeitem", { name: /^iOS/ }).click();
    await press("Move 1 user");
    await soon(() => expect(document.activeElement?.textContent).toContain("Nobody is in this group"));
  });

  it("selects users only in bulk edit, and then moves or removes all of them", async () => {
    const { data, screen, dialog, act, press, sent } = await openAndroid();
    expect(screen.getByRole("checkbox").elements()).toEqual([]);
    await act("Bulk edit");
    await screen.getByRole("checkbox", { name: "Select all rows" }).click();
    await act("Move 2 users");
    await dialog.getByRole("treeitem", { name: /^iOS/ }).click();
    await press("Move 2 users");
    const both = [data.ada.uuid, data.ben.uuid];
    await soon(() =>
      expect(sent("PUT", usersOf(data.ios))).toEqual(
        both.map((user_uuid) => ({ user_uuid, original_group_uuid: data.android.uuid })),
      ),
    );
    await act("Remove 2 users");
    await press("Remove 2 users");
    await soon(() => expect(sent("DELETE", usersOf(data.android))).toEqual({ user_uuids: both }));
    await act("Bulk edit");
    await soon(() => expect(screen.getByRole("checkbox").elements()).toEqual([]));
  });

  it("selects nobody any more when bulk edit ends", async () => {
    const { screen, act } = await openAndroid();
    await act("Bulk edit");
    await screen.getByRole("checkbox", { name: "Select all rows" }).click();
    await expect.element(screen.getByRole("button", { name: "Move 2 users" })).toBeVisible();
    await act("Bulk edit");
    await expect.element(screen.getByText("2 selected")).not.toBeInTheDocument();
    await act("Bulk edit");
    await expect.element(screen.getByRole("checkbox", { name: "Select all rows" })).not.toBeChecked();
  });

  it("names where users go, also when a search hides it", async () => {
    const { dialog, act } = await openAndroid();
    await act("Move Ada Moss to another group");
    await expect.element(dialog.getByText("They leave Android. Choose where they go.")).toBeVisible();
    await dialog.getByRole("treeitem", { name: /^iOS/ }).click();
    await dialog.getByRole("textbox", { name: "Search groups" }).fill("every");
    await expect.element(dialog.getByRole("treeitem", { name: /^iOS/ })).not.toBeInTheDocument();
    await expect.element(dialog.getByText("They leave Android and go to iOS.")).toBeVisible();
  });

  it.each([
    ["USER_NOT_FOUND", "Some of these users are no longer in the organization."],
    ["GROUP_WITH_QUOTA_MOVE_FORBIDDEN", "A group with a quota cannot be moved."],
    ["INTERNAL_ERROR", "Fail to move users."],
  ] as [ErrorCode, string][])("says what was refused of a move: %s", async (code, sentence) => {
    const { dialog, act, press } = await openAndroid({ "(POST|PUT) /v1/groups/:uuid/users": refuse(code) });
    await act("Move Ada Moss to another group");
    await dialog.getByRole("treeitem", { name: /^iOS/ }).click();
    await press("Move 1 user");
    await expect.element(dialog.getByText(sentence)).toBeVisible();
  });

  it("says that a removal failed", async () => {
    const { dialog, act, press } = await openAndroid({ "DELETE /v1/groups/:uuid/users": refuse("INTERNAL_ERROR") });
    await act("Remove Ada Moss from the group");
    await press("Remove 1 user");
    await expect.element(dialog.getByText("Fail to remove users from the group.")).toBeVisible();
  });
});
