import type { Instance } from "@terrarium/contract";
import { beforeEach, expect, it, vi } from "vitest";
import { userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { closeSnack, readSnacks } from "../../components/snack-queue.ts";
import { Snacks } from "../../components/Snacks.tsx";
import { anId, anInstance, aRecipe, manager, managerId, organizationId } from "../../testing/factories.ts";
import { fakeService, refuse } from "../../testing/fake-service.ts";
import { InTestApp } from "../../testing/InTestApp.tsx";
import { nameless } from "../../testing/names.ts";
import { soon } from "../../testing/soon.ts";
import { SaveDialog } from "./SaveDialog.tsx";

/** A device of one's own recipe "Payments phone". */
function ofOwnRecipe(fields: Partial<NonNullable<Instance["recipe"]>> = {}): Instance {
  const device = anInstance({ name: "smoke" });
  const owner = { ...device.owner, uuid: managerId, organization: { uuid: organizationId } };
  return {
    ...device,
    recipe: device.recipe && { ...device.recipe, source: "CUSTOM", name: "Payments phone", owner, ...fields },
  };
}
const official = () => anInstance({ name: "smoke" });

beforeEach(() => {
  for (const { id } of readSnacks()) closeSnack(id);
});

async function open(device: Instance, save: () => unknown = () => aRecipe({ name: "Saved" })) {
  const service = fakeService({ "POST /v1/instances/:uuid/save": save });
  const onClose = vi.fn<() => void>();
  const screen = await render(
    <InTestApp>
      <SaveDialog device={device} me={manager} onClose={onClose} />
      <Snacks />
    </InTestApp>,
  );
  const asked = () => service.to("POST", /save$/).map(({ body }) => body);
  const recipeName = screen.getByRole("textbox", { name: "Recipe name" });
  const imageName = screen.getByRole("textbox", { name: "OS image name" });
  return { screen, onClose, asked, recipeName, imageName };
}

it("saves a device of an official recipe as a new one, under names that are suggested", async () => {
  const { screen, onClose, asked, recipeName, imageName } = await open(official());
  await expect.element(recipeName).toHaveValue("Copy of Phone 6.1 in, Android 15");
  await expect.element(imageName).toHaveValue("Copy of Android 15");
  await expect.element(recipeName).toHaveFocus();
  await expect.element(screen.getByText(/Saving stops smoke, and can take minutes/)).toBeVisible();
  await expect.element(screen.getByRole("button", { name: "Back" })).not.toBeInTheDocument();
  expect(nameless()).toEqual([]);
  await recipeName.fill(" Mine ");
  await imageName.click();
  await userEvent.keyboard("{Enter}");
  await soon(() => expect(onClose).toHaveBeenCalledOnce());
  expect(asked()).toEqual([{ action: "save_as", new_recipe_name: "Mine", new_os_image_name: "Copy of Android 15" }]);
  await expect.element(screen.getByText("Saving smoke as Saved")).toBeVisible();
});

it("has room for the longest name that a device can have", async () => {
  const { screen, imageName } = await open({ ...official(), name: "x".repeat(250) });
  await expect.element(imageName).toBeVisible();
  const content = screen.getByRole("dialog").element().querySelector(".MuiDialogContent-root");
  expect(content?.scrollWidth).toBe(content?.clientWidth);
  const note = screen.getByText(/^Saving stops/).element();
  expect(note.scrollWidth).toBeLessThanOrEqual(note.clientWidth);
});

it("lets the owner of the recipe choose, and go back to the choice", async () => {
  const { screen, asked, recipeName, imageName } = await open(ofOwnRecipe());
  await screen.getByRole("button", { name: "Save as a new recipe" }).click();
  await expect.element(recipeName).toHaveValue("Copy of Payments phone");
  await screen.getByRole("button", { name: "Back" }).click();
  await screen.getByRole("button", { name: "Update Payments phone" }).click();
  await expect.element(recipeName).toHaveValue("Payments phone");
  await expect.element(recipeName).toBeDisabled();
  // An official image cannot be written to.
  await expect.element(imageName).toHaveValue("Copy of Android 15");
  await expect.element(imageName).toBeEnabled();
  await screen.getByRole("button", { name: "Update recipe" }).click();
  await soon(() => expect(asked()).toEqual([{ action: "update", new_os_image_name: "Copy of Android 15" }]));
});

it("keeps the name of an image of one's own when the recipe is updated", async () => {
  const device = ofOwnRecipe({ items: [{ type: "os_image", uuid: anId() }] });
  const { screen, asked, imageName } = await open({
    ...device,
    os_image: { ...device.os_image, name: "Payments image", is_official: false },
  });
  await screen.getByRole("button", { name: "Update Payments phone" }).click();
  await expect.element(imageName).toHaveValue("Payments image");
  await expect.element(imageName).toBeDisabled();
  await screen.getByRole("button", { name: "Update recipe" }).click();
  await soon(() => expect(asked()).toEqual([{ action: "update" }]));
});

it("does not update a recipe that is being saved", async () => {
  const { screen, recipeName } = await open(ofOwnRecipe({ status: "UPDATING" }));
  const update = screen.getByRole("button", { name: "Update Payments phone" });
  await expect.element(update).toHaveAttribute("aria-disabled", "true");
  await expect.element(screen.getByText("This recipe is being saved. Try again when it is ready.")).toBeVisible();
  await update.click({ force: true });
  await expect.element(recipeName).not.toBeInTheDocument();
  await screen.getByRole("button", { name: "Save as a new recipe" }).click();
  await expect.element(recipeName).toBeVisible();
});

it.each([
  ["  ", "Required"],
  ["x".repeat(251), "Use up to 250 characters"],
])("cannot be confirmed with the name %j", async (name, sentence) => {
  const { screen, asked, recipeName, imageName } = await open(official());
  const confirm = screen.getByRole("button", { name: "Save device" });
  await expect.element(confirm).toBeEnabled();
  await imageName.fill(name);
  await recipeName.click();
  await expect.element(screen.getByText(sentence)).toBeVisible();
  await expect.element(confirm).toBeDisabled();
  await imageName.click();
  await userEvent.keyboard("{Enter}");
  expect(asked()).toEqual([]);
});

it.each([
  ["RECIPE_MUST_NOT_BE_SAVING", "save_as", "This recipe is being saved. Try again when it is ready."],
  ["INTERNAL_ERROR", "save_as", "Fail to create recipe."],
  ["INTERNAL_ERROR", "update", "Fail to update recipe."],
  ["INSTANCE_NOT_ONLINE", "update", "This virtual device is not online. Only one that is can be saved."],
  ["INSTANCE_HAS_NO_RECIPE", "update", "This virtual device has no recipe any more, so it cannot be saved."],
  ["INSTANCE_SAVE_NOT_ALLOWED", "save_as", "You are not allowed to save this virtual device."],
  ["RUNTIME_CANNOT_SAVE", "save_as", "What runs this virtual device cannot save it."],
  ["INSTANCE_ENDED", "save_as", "Device not found."],
  [
    "TOO_MANY_RECIPES",
    "save_as",
    "Your organization has as many recipes as it may. Delete some that nobody uses, then try again.",
  ],
  [
    "TOO_MANY_OS_IMAGES",
    "save_as",
    "Your organization has as many OS images as it may. Delete some that nobody uses, then try again.",
  ],
  [
    "TOO_MUCH_SAVED",
    "update",
    "The OS images of your organization take up as much as they may. Delete some that nobody uses, then try again.",
  ],
] as const)("says what %s means for %s, and keeps what was typed", async (code, action, sentence) => {
  const { screen, onClose, imageName } = await open(ofOwnRecipe(), refuse(code));
  const isUpdate = action === "update";
  await screen.getByRole("button", { name: isUpdate ? "Update Payments phone" : "Save as a new recipe" }).click();
  await imageName.fill("my image");
  await screen.getByRole("button", { name: isUpdate ? "Update recipe" : "Save device" }).click();
  await expect.element(screen.getByRole("alert").getByText(sentence)).toBeVisible();
  await expect.element(imageName).toHaveValue("my image");
  expect(onClose).not.toHaveBeenCalled();
});

it("can be confirmed again as it stands after it was refused", async () => {
  let isDown = true;
  const { screen, onClose, asked } = await open(official(), () =>
    isDown ? refuse("INTERNAL_ERROR")() : aRecipe({ name: "Saved" }),
  );
  const confirm = screen.getByRole("button", { name: "Save device" });
  await confirm.click();
  await expect.element(screen.getByRole("alert").getByText("Fail to create recipe.")).toBeVisible();
  isDown = false;
  await confirm.click();
  await soon(() => expect(onClose).toHaveBeenCalledOnce());
  expect(asked()).toHaveLength(2);
});

it("says why a device cannot be saved, and asks for nothing", async () => {
  const { screen, onClose, recipeName } = await open(anInstance({ can_save: false }));
  await expect.element(screen.getByText("What runs this virtual device cannot save it.")).toBeVisible();
  await expect.element(recipeName).not.toBeInTheDocument();
  await screen.getByRole("button", { name: "Close" }).click();
  expect(onClose).toHaveBeenCalledOnce();
});

it("closes without saving", async () => {
  const { screen, onClose, asked } = await open(ofOwnRecipe());
  await screen.getByRole("button", { name: "Cancel" }).click();
  await screen.getByRole("button", { name: "Save as a new recipe" }).click();
  await screen.getByRole("button", { name: "Cancel" }).click();
  expect(onClose).toHaveBeenCalledTimes(2);
  expect(asked()).toEqual([]);
});
