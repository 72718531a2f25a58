import type { ErrorCode } from "@terrarium/contract";
import { describe, expect, it } from "vitest";
import { userEvent } from "vitest/browser";
import { refuse } from "../../testing/fake-service.ts";
import { nameless } from "../../testing/names.ts";
import { soon } from "../../testing/soon.ts";
import { aGroup, openGroups, type SomeGroups, someGroups } from "./testing/open-groups.tsx";

type Answers = NonNullable<Parameters<typeof openGroups>[1]>["answers"];

async function openForm(
  data: Pick<SomeGroups, "groups" | "members">,
  address: string,
  action: string,
  answers?: Answers,
) {
  const page = await openGroups(data, { address, ...(answers && { answers }) });
  await page.screen.getByRole("button", { name: action }).click();
  const field = (name: string) => page.dialog.getByLabelText(name, { exact: true });
  const stepper = page.dialog.getByRole("spinbutton", { name: "Devices that may run at once" });
  return {
    ...page,
    field,
    stepper,
    pool: page.dialog.getByRole("radio", { name: /resource pool/ }),
    custom: page.dialog.getByRole("radio", { name: "Set a quota for this group" }),
  };
}
const create = (data: Pick<SomeGroups, "groups" | "members"> = someGroups(), answers?: Answers) =>
  openForm(data, "", "Create group", answers);
const edit = (data: SomeGroups, { uuid }: { uuid: string }, answers?: Answers) =>
  openForm(data, `?group=${uuid}`, "Edit group", answers);

describe("creating a group", () => {
  it("sends what was typed, and shows the group", async () => {
    const made = aGroup("Wearables");
    const data = someGroups();
    const { field, press, sent, search } = await create(data, {
      "POST /v1/groups": () => {
        data.groups.push(made);
        return made;
      },
    });
    await field("Name").fill(" Wearables ");
    await field("Description").fill("Watches");
    expect(nameless()).toEqual([]);
    await press("Create group");
    await soon(() => expect(search()).toBe(`?group=${made.uuid}`));
    expect(sent("POST", /groups$/)).toEqual({
      name: "Wearables",
      description: "Watches",
      parent_uuid: null,
      is_default: false,
      quotas: { group_allocation: null },
    });
  });

  it("asks for a name", async () => {
    const { dialog, press, service } = await create();
    await press("Create group");
    await expect.element(dialog.getByText("Required")).toBeVisible();
    expect(service.to("POST", /groups/)).toEqual([]);
  });

  it("begins below the group that it was asked of", async () => {
    const data = someGroups();
    const { field, press, sent } = await openForm(data, `?group=${data.android.uuid}`, "Create subgroup");
    await expect.element(field("Parent group")).toHaveValue("Android");
    await field("Name").fill("Ads");
    await press("Create group");
    await soon(() => expect(sent("POST", /groups$/)).toMatchObject({ parent_uuid: data.android.uuid }));
  });

  it("makes it the default group, of which it says which one that is now", async () => {
    const { dialog, field, press, sent } = await create();
    await expect.element(dialog.getByText("Now they join Everyone.")).toBeVisible();
    await field("Name").fill("Newcomers");
    await dialog.getByRole("checkbox", { name: "New users join this group" }).click();
    await press("Create group");
    await soon(() => expect(sent("POST", /groups$/)).toMatchObject({ is_default: true }));
  });
});

describe("editing a group", () => {
  it("begins with what the group is, and leaves its parent alone", async () => {
    const data = someGroups();
    const { field, custom, stepper, press, sent } = await edit(data, data.android);
    await expect.element(field("Name")).toHaveValue("Android");
    await expect.element(field("Parent group")).toBeDisabled();
    await expect.element(field("Parent group")).toHaveValue("Mobile");
    await expect.element(custom).toBeChecked();
    await expect.element(stepper).toHaveValue("4");
    await field("Name").fill("Robots");
    await press("Save group");
    await soon(() =>
      expect(sent("PUT", new RegExp(`groups/${data.android.uuid}$`))).toEqual({
        name: "Robots",
        description: "",
        is_default: false,
        quotas: { group_allocation: 4 },
      }),
    );
  });

  it("sends what another manager changed meanwhile, but for what was edited here", async () => {
    const data = someGroups();
    const { client, field, press, sent } = await edit(data, data.everyone);
    await field("Description").fill("All of us");
    data.groups[0] = { ...data.everyone, name: "Everybody", quotas: { group_allocation: 3 } };
    void client.invalidateQueries();
    await expect.element(field("Name")).toHaveValue("Everybody");
    await press("Save group");
    await soon(() =>
      expect(sent("PUT", /groups/)).toMatchObject({
        name: "Everybody",
        description: "All of us",
        quotas: { group_allocation: 3 },
      }),
    );
  });

  it("does not let the default group cease to be it", async () => {
    const data = someGroups();
    const { dialog } = await edit(data, data.everyone);
    await expect.element(dialog.getByRole("checkbox", { name: "New users join this group" })).toBeDisabled();
    await expect.element(dialog.getByText("To change this, make another group the default.")).toBeVisible();
  });
});

describe("the quota of a group", () => {
  it("is the pool where the service says null, and sent as null again", async () => {
    const data = someGroups();
    const { pool, stepper, press, sent } = await edit(data, data.ios);
    await expect.element(pool).toBeChecked();
    await expect.element(stepper).not.toBeInTheDocument();
    await press("Save group");
    await soon(() => expect(sent("PUT", /groups/)).toMatchObject({ quotas: { group_allocation: null } }));
  });

  it("stops at what the subgroups have, and at what the parent has left with its own", async () => {
    const data = someGroups();
    // Mobile has 10 of the organization's 20, and gave Android 4.
    const { dialog, stepper } = await edit(data, data.mobile);
    await expect.element(dialog.getByText("From 4 to 20")).toBeVisible();
    await stepper.fill("5");
    await userEvent.keyboard("{ArrowDown}{ArrowDown}");
    await expect.element(stepper).toHaveValue("4");
    await expect.element(dialog.getByRole("button", { name: "One less" })).toHaveAttribute("aria-disabled", "true");
    await stepper.fill("19");
    await dialog.getByRole("button", { name: "One more" }).click();
    await userEvent.keyboard("{ArrowUp}");
    await expect.element(stepper).toHaveValue("20");
    await expect.element(dialog.getByRole("button", { name: "One more" })).toHaveAttribute("aria-disabled", "true");
  });

  it("becomes the most when more is typed, and the least when less is sent", async () => {
    const data = someGroups();
    const { stepper, press, sent } = await edit(data, data.mobile);
    await stepper.fill("9999");
    await expect.element(stepper).toHaveValue("20");
    await stepper.fill("1");
    await expect.element(stepper).toHaveValue("1");
    await press("Save group");
    await soon(() => expect(sent("PUT", /groups/)).toMatchObject({ quotas: { group_allocation: 4 } }));
  });

  it("is the least also where Enter sends it", async () => {
    const data = someGroups();
    const { stepper, sent } = await edit(data, data.mobile);
    await stepper.fill("2");
    await userEvent.keyboard("{Enter}");
    await soon(() => expect(sent("PUT", /groups/)).toMatchObject({ quotas: { group_allocation: 4 } }));
  });

  it("warns of zero", async () => {
    const data = someGroups();
    const { dialog, custom, stepper } = await edit(data, data.ios);
    await custom.click();
    await expect.element(dialog.getByRole("status")).toHaveTextContent("");
    await stepper.fill("0");
    await expect
      .element(dialog.getByRole("status"))
      .toHaveTextContent("With a quota of 0, users of this group cannot start devices.");
  });

  it("is shown as it is sent where the parent has none left, with the warning", async () => {
    const data = someGroups();
    data.payments.quotas.group_allocation = 4;
    const { dialog, field, custom, stepper, press, sent } = await openForm(
      data,
      `?group=${data.android.uuid}`,
      "Create subgroup",
    );
    await field("Name").fill("Ads");
    await custom.click();
    await expect.element(dialog.getByText("It can only be 0")).toBeVisible();
    await expect.element(stepper).toHaveValue("0");
    await expect
      .element(dialog.getByRole("status"))
      .toHaveTextContent("With a quota of 0, users of this group cannot start devices.");
    await press("Create group");
    await soon(() => expect(sent("POST", /groups$/)).toMatchObject({ quotas: { group_allocation: 0 } }));
  });

  it("follows what another parent has left", async () => {
    const { field, custom, screen, stepper } = await create();
    await custom.click();
    await stepper.fill("10");
    // Mobile has 10, and gave Android 4.
    await field("Parent group").fill("Mobile");
    await screen.getByRole("option", { name: /Mobile/ }).click();
    await expect.element(stepper).toHaveValue("6");
    await expect.element(stepper).toHaveAttribute("aria-valuenow", "6");
  });

  it("does not warn of zero while the field is empty", async () => {
    const data = someGroups();
    const { dialog, custom, stepper } = await edit(data, data.ios);
    await custom.click();
    await stepper.fill("");
    await expect.element(stepper).toHaveValue("");
    await expect.element(dialog.getByRole("status")).toHaveTextContent("");
  });

  it("cannot be set where the parent uses a pool", async () => {
    const data = someGroups();
    const { dialog, field, custom, pool, press, sent } = await openForm(
      data,
      `?group=${data.ios.uuid}`,
      "Create subgroup",
    );
    await expect.element(custom).toBeDisabled();
    await expect.element(pool).toBeChecked();
    await expect.element(dialog.getByText(/so this group cannot have a quota/)).toBeVisible();
    await field("Name").fill("Tablets");
    await press("Create group");
    await soon(() => expect(sent("POST", /groups$/)).toMatchObject({ quotas: { group_allocation: null } }));
  });

  it("falls back to the pool when such a parent is chosen after it was set", async () => {
    const { field, custom, screen, pool, press, sent } = await create();
    await field("Name").fill("Tablets");
    await custom.click();
    await field("Parent group").fill("iOS");
    await screen.getByRole("option", { name: /iOS/ }).click();
    await expect.element(pool).toBeChecked();
    await press("Create group");
    await soon(() => expect(sent("POST", /groups$/)).toMatchObject({ quotas: { group_allocation: null } }));
  });

  it("must be set where a subgroup has one", async () => {
    const data = someGroups();
    const { dialog, custom, pool } = await edit(data, data.mobile);
    await expect.element(pool).toBeDisabled();
    await expect.element(custom).toBeChecked();
    await expect.element(dialog.getByText("A subgroup has a quota, so this group needs one too.")).toBeVisible();
  });
});

describe("what the service refuses", () => {
  const said: [ErrorCode, string][] = [
    ["GROUP_EXISTS", "Group already exists"],
    ["QUOTA_PARENT_WITHOUT_QUOTA", "The parent group has no quota, so this group cannot have one."],
    ["QUOTA_CHILD_WITH_QUOTA", "A subgroup has a quota, so this group needs one too."],
    ["QUOTA_GROUP_LT_CHILDREN", "The subgroups have more devices together. Set at least that many."],
    ["QUOTA_PARENT_REMAINING_TOO_LOW", "The parent does not have that many devices left."],
    ["GROUP_WITH_QUOTA_MOVE_FORBIDDEN", "A group with a quota cannot be moved."],
    ["GROUP_TOO_DEEP", "Groups cannot be nested any deeper. Choose a parent further up."],
    ["TOO_MANY_GROUPS", "Your organization has as many groups as it can have. Delete one first."],
    ["GROUP_PARENT_FIXED", "A group cannot change its parent."],
  ];

  it.each([...said, ["INTERNAL_ERROR", "Fail to add group."] as const])("creating: %s", async (code, sentence) => {
    const { dialog, field, press } = await create(someGroups(), { "POST /v1/groups": refuse(code) });
    await field("Name").fill("Mobile");
    await press("Create group");
    await expect.element(dialog.getByText(sentence)).toBeVisible();
  });

  it.each([...said, ["INTERNAL_ERROR", "Fail to edit group."] as const])("editing: %s", async (code, sentence) => {
    const data = someGroups();
    const { dialog, press } = await edit(data, data.ios, { "PUT /v1/groups/:uuid": refuse(code) });
    await press("Save group");
    await expect.element(dialog.getByText(sentence)).toBeVisible();
  });
});
