import { describe, expect, it, vi } from "vitest";
import { userEvent } from "vitest/browser";
import { refuse } from "../../testing/fake-service.ts";
import { nameless } from "../../testing/names.ts";
import { soon } from "../../testing/soon.ts";
import { typeAtOnce } from "../../testing/type-at-once.ts";
import { aGroup, openGroups, someGroups } from "./testing/open-groups.tsx";

describe("the groups of an organization", () => {
  it("are shown below one another, with the default one, who is in them and what of a quota is used", async () => {
    const { screen, row } = await openGroups(someGroups());
    await expect.element(row(/^Everyone Default 1 user$/)).toHaveAttribute("aria-level", "1");
    await expect.element(row(/^Android 3 of 4 devices run 2 users$/)).toHaveAttribute("aria-level", "2");
    await expect.element(row(/^Payments 0 users$/)).toHaveAttribute("aria-level", "3");
    // Of the default group the users are shown at once.
    await expect.element(row(/^Everyone/)).toHaveAttribute("aria-selected", "true");
    await expect.element(screen.getByRole("row", { name: /Cleo Moss/ })).toBeVisible();
    expect(nameless()).toEqual([]);
  });

  it("are searched by name and description, once the keys rest, and keep what is above a match", async () => {
    const { screen, names, search } = await openGroups(someGroups());
    const field = screen.getByRole("textbox", { name: "Search groups" });
    await field.fill("wallet");
    await soon(() => expect(names()).toEqual(["Mobile", "Android", "Payments"]));
    expect(search()).toBe("?find=wallet");
    await field.fill("legal");
    await expect.element(screen.getByText("No groups match “legal”")).toBeVisible();
    await screen.getByRole("button", { name: "Clear" }).first().click();
    await soon(() => expect(names()).toEqual(["Everyone", "Mobile", "Android", "Payments", "iOS"]));
    expect(search()).toBe("");
  });

  it("are not searched for each letter", async () => {
    const { screen, names } = await openGroups(someGroups(), { address: "?find=ios" });
    await expect.poll(names).toEqual(["Mobile", "iOS"]);
    const seen = new Set<string>();
    const watcher = new MutationObserver(() => seen.add(names().join()));
    watcher.observe(document.body, { childList: true, subtree: true });
    const field = screen.getByRole("textbox", { name: "Search groups" }).element() as HTMLInputElement;
    typeAtOnce(field, "p", "pa", "pay");
    await soon(() => expect(names()).toEqual(["Mobile", "Android", "Payments"]));
    watcher.disconnect();
    expect([...seen].filter((each) => each !== "Mobile,iOS")).toEqual(["Mobile,Android,Payments"]);
  });

  it("open with all at the top when there are many, and with what leads to the one that is shown", async () => {
    const deep = aGroup("Deep");
    const many = Array.from({ length: 40 }, (_, index) => aGroup(`Group ${index}`, {}, [aGroup(`Below ${index}`)]));
    const groups = [aGroup("Top", {}, [aGroup("Middle", {}, [deep])]), ...many];
    const { names } = await openGroups({ groups, members: new Map() }, { address: `?group=${deep.uuid}` });
    await soon(() => expect(names().slice(0, 5)).toEqual(["Top", "Middle", "Deep", "Group 0", "Group 1"]));
  });
});

describe("a group", () => {
  it("is shown by choosing it, which the address says", async () => {
    const data = someGroups();
    const { screen, row, search } = await openGroups(data);
    await row(/^Android/).click();
    await expect.element(screen.getByRole("heading", { name: "Android" })).toBeVisible();
    await expect.element(screen.getByRole("row", { name: /Ada Moss ada@demo.test User/ })).toBeVisible();
    expect(search()).toBe(`?group=${data.android.uuid}`);
    await screen.getByRole("navigation", { name: "Where the group is" }).getByRole("link", { name: "Mobile" }).click();
    await expect.element(screen.getByRole("heading", { name: "Mobile" })).toBeVisible();
  });

  it("is shown by its address, with whose pool it uses", async () => {
    const data = someGroups();
    const { screen } = await openGroups(data, { address: `?group=${data.payments.uuid}` });
    await expect.element(screen.getByRole("heading", { name: "Payments" })).toBeVisible();
    await expect.element(screen.getByText("Checkout and wallets")).toBeVisible();
    await expect.element(screen.getByText("0 devices run, from the pool of Android")).toBeVisible();
    await expect.element(screen.getByText("Nobody is in this group")).toBeVisible();
  });

  it("asks the service for a search among its users", async () => {
    const data = someGroups();
    const { screen, service } = await openGroups(data, { address: `?group=${data.android.uuid}` });
    await screen.getByRole("textbox", { name: "Search users of the group" }).fill("ben");
    await soon(() =>
      expect(
        service
          .to("GET", /users$/)
          .at(-1)
          ?.query.get("search"),
      ).toBe("ben"),
    );
    await expect.element(screen.getByText("Ada Moss")).not.toBeInTheDocument();
    await expect.element(screen.getByText("Ben Moss")).toBeVisible();
  });

  it("that is gone says so, and leads back", async () => {
    const { screen, search } = await openGroups(someGroups(), { address: "?group=gone" });
    await expect.element(screen.getByText("This group no longer exists")).toBeVisible();
    await screen.getByRole("link", { name: "All groups" }).click();
    await expect.element(screen.getByRole("heading", { name: "Everyone" })).toBeVisible();
    expect(search()).toBe("");
  });

  it("has the screen of a phone to itself, and a way back", async () => {
    const { screen, row } = await openGroups(someGroups(), { width: 390 });
    await expect.element(row(/^Everyone/)).toBeVisible();
    await expect.element(screen.getByRole("heading", { name: "Everyone" })).not.toBeInTheDocument();
    await row(/^Android/).click();
    await expect.element(screen.getByRole("heading", { name: "Android" })).toBeVisible();
    expect(screen.getByRole("tree").elements()).toEqual([]);
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
    await screen.getByRole("link", { name: "All groups" }).click();
    await expect.element(screen.getByRole("tree")).toBeVisible();
  });

  it("opens at its top on a phone, and back is where one was", async () => {
    const groups = Array.from({ length: 60 }, (_, index) => aGroup(`Group ${index}`));
    const { screen, row, back } = await openGroups({ groups, members: new Map() }, { width: 390 });
    await expect.element(row(/^Group 50/)).toBeInTheDocument();
    row(/^Group 50/)
      .element()
      .scrollIntoView({ block: "center" });
    const place = scrollY;
    expect(place).toBeGreaterThan(500);
    await row(/^Group 50/).click();
    await expect.element(screen.getByRole("heading", { name: "Group 50" })).toBeVisible();
    expect(scrollY).toBe(0);
    await back();
    await expect.element(row(/^Group 50/)).toBeVisible();
    await expect.poll(() => scrollY).toBe(place);
  });

  it("has a menu in the tree, without deleting the default one", async () => {
    const { screen } = await openGroups(someGroups());
    await screen.getByRole("button", { name: "More actions for Everyone" }).click();
    await expect.element(screen.getByRole("menuitem", { name: "Edit group" })).toBeVisible();
    expect(
      screen
        .getByRole("menuitem")
        .elements()
        .map((item) => item.textContent),
    ).toEqual(["Add users", "Create subgroup", "Edit group", "Show what happened to this group"]);
    await userEvent.keyboard("{Escape}");
    await expect
      .element(screen.getByRole("button", { name: "Delete group" }))
      .toHaveAttribute("aria-description", "New users join this group. Make another group the default first.");
  });

  it("takes users who are dragged onto it, once that is confirmed", async () => {
    const data = someGroups();
    const { screen, row, dialog, press, sent } = await openGroups(data, { address: `?group=${data.android.uuid}` });
    await expect.element(screen.getByText("Ada Moss")).toBeVisible();
    await userEvent.dragAndDrop(screen.getByText("Ada Moss"), row(/^iOS/));
    await expect.element(dialog.getByRole("heading", { name: "Move Ada Moss" })).toBeVisible();
    await expect.element(dialog.getByRole("treeitem", { name: /^iOS/ })).toHaveAttribute("aria-selected", "true");
    await press("Move 1 user");
    await soon(() =>
      expect(sent("PUT", new RegExp(`${data.ios.uuid}/users$`))).toEqual([
        { user_uuid: data.ada.uuid, original_group_uuid: data.android.uuid },
      ]),
    );
  });

  it("is in sight in the dialog when users were dragged onto it far down", async () => {
    const data = someGroups();
    const far = aGroup("Zebra");
    data.groups.push(...Array.from({ length: 30 }, (_, index) => aGroup(`Group ${index}`)), far);
    const { screen, row, dialog } = await openGroups(data, { address: `?group=${data.android.uuid}` });
    await expect.element(screen.getByText("Ada Moss")).toBeVisible();
    row(/^Zebra/)
      .element()
      .scrollIntoView();
    await userEvent.dragAndDrop(screen.getByText("Ada Moss"), row(/^Zebra/));
    const target = dialog.getByRole("treeitem", { name: /^Zebra/ });
    await expect.element(target).toHaveAttribute("aria-selected", "true");
    await expect.element(target).toBeInViewport();
  });

  it("takes all who are selected when one of them is dragged, and somebody else alone", async () => {
    const data = someGroups();
    data.members.get(data.android.uuid)!.push(data.cleo);
    const { screen, row, dialog, press } = await openGroups(data, { address: `?group=${data.android.uuid}` });
    await screen.getByRole("button", { name: "Bulk edit" }).click();
    await screen.getByRole("checkbox", { name: "Select Ada Moss" }).click();
    await screen.getByRole("checkbox", { name: "Select Ben Moss" }).click();
    await userEvent.dragAndDrop(screen.getByText("Ben Moss"), row(/^iOS/));
    await expect.element(dialog.getByRole("heading", { name: "Move 2 users" })).toBeVisible();
    await press("Cancel");
    await expect.element(dialog).not.toBeInTheDocument();
    await userEvent.dragAndDrop(screen.getByText("Cleo Moss"), row(/^iOS/));
    await expect.element(dialog.getByRole("heading", { name: "Move Cleo Moss" })).toBeVisible();
  });

  it("does not take users who are in it", async () => {
    const data = someGroups();
    const { screen, row, dialog } = await openGroups(data, { address: `?group=${data.android.uuid}` });
    await expect.element(screen.getByText("Ada Moss")).toBeVisible();
    await userEvent.dragAndDrop(screen.getByText("Ada Moss"), row(/^Android/));
    await expect.element(dialog).not.toBeInTheDocument();
  });
});

describe("when groups are not there", () => {
  it("waits for them", async () => {
    const { screen } = await openGroups(someGroups(), { answers: { "GET /v1/groups": () => new Promise(vi.fn()) } });
    await expect.element(screen.getByRole("link", { name: "Groups" })).toBeVisible();
    expect(document.querySelector("[aria-busy=true]")).not.toBeNull();
  });

  it("says that they did not load, and tries again", async () => {
    const data = someGroups();
    let isBroken = true;
    const { screen, row } = await openGroups(data, {
      answers: { "GET /v1/groups": () => (isBroken ? refuse("INTERNAL_ERROR")() : data.groups) },
    });
    await expect.element(screen.getByText("Fail to fetch groups.")).toBeVisible();
    isBroken = false;
    await screen.getByRole("button", { name: "Try again" }).click();
    await expect.element(row(/^Everyone/)).toBeVisible();
  });

  it("says that there are none", async () => {
    const { screen } = await openGroups({ groups: [], members: new Map() });
    await expect.element(screen.getByText("There are no groups yet")).toBeVisible();
  });
});
