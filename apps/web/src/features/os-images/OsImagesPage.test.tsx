import type { OsImage } from "@terrarium/contract";
import { beforeEach, describe, expect, it } from "vitest";
import { page as browserPage } from "vitest/browser";
import { render } from "vitest-browser-react";
import { closeSnack, readSnacks } from "../../components/snack-queue.ts";
import { Snacks } from "../../components/Snacks.tsx";
import { MeContext } from "../../session/user.ts";
import { anId, anOrganization, anOsImage, aRecipe, manager, user } from "../../testing/factories.ts";
import { aPage, fakeService, refuse } from "../../testing/fake-service.ts";
import { InTestApp } from "../../testing/InTestApp.tsx";
import { nameless } from "../../testing/names.ts";
import { soon } from "../../testing/soon.ts";
import OsImagesPage from "./OsImagesPage.tsx";

const mine = (fields: Partial<OsImage> = {}) =>
  anOsImage({ name: "Mine", is_official: false, owner: user, recipe_count: 0, ...fields });
const kim = { uuid: anId(), email: "kim@demo.test", first_name: "Kim", last_name: "Lee" };
const colleagues = () => anOsImage({ name: "Kim's", is_official: false, owner: kim });
const official = (fields: Partial<OsImage> = {}) => anOsImage({ name: "Official", ...fields });

beforeEach(async () => {
  for (const { id } of readSnacks()) closeSnack(id);
  await browserPage.viewport(1440, 900);
});

const said = () => readSnacks().map(({ message }) => message);

/** The page over a service that keeps `images`; it refuses what `answers` says. */
async function open(images: OsImage[], answers: Parameters<typeof fakeService>[0] = {}, address = "/", me = user) {
  const find = (path: string) => images.find(({ uuid }) => path.includes(uuid));
  const service = fakeService({
    "GET /v1/os-images": () => aPage(images),
    "GET /v1/os-images/:uuid": ({ path }) => find(path),
    "GET /v1/organizations/:uuid": () => anOrganization(),
    "GET /v3/recipes": () => ({ ...aPage([aRecipe({ name: "Checkout" })]), count: 3 }),
    "POST /v1/os-images/:uuid/duplicate": ({ path, body }) => {
      const copy = mine({
        ...find(path),
        uuid: anId(),
        is_official: false,
        owner: user,
        ...(body as { name: string }),
      });
      images.unshift(copy);
      return copy;
    },
    "PUT /v1/os-images/:uuid": ({ path, body }) => Object.assign(find(path)!, body),
    "DELETE /v1/os-images/:uuid": ({ path }) => {
      images.splice(0, images.length, ...images.filter(({ uuid }) => !path.endsWith(uuid)));
      return null;
    },
    ...answers,
  });
  const screen = await render(
    <InTestApp address={address}>
      <MeContext value={me}>
        <OsImagesPage />
      </MeContext>
      <Snacks />
    </InTestApp>,
  );
  const card = (name: string) => screen.getByRole("list", { name: "OS images" }).getByRole("listitem", { name });
  const menu = async (name: string, item: string) => {
    await card(name)
      .getByRole("button", { name: `More actions for ${name}` })
      .click();
    await screen.getByRole("menuitem", { name: item }).click();
  };
  return { screen, service, card, menu, dialog: screen.getByRole("dialog") };
}

describe("the images", () => {
  it("come with the organization as it is now", async () => {
    const { service } = await open([]);
    await expect.poll(() => service.to("GET", /^\/v1\/organizations\//)).toHaveLength(1);
  });

  it("are asked for in pages of twelve, and shown with what they are", async () => {
    const { screen, service, card } = await open([
      mine({ recipe_count: 2, status: "UPDATING" }),
      official({ is_beta: true, arch: "x86", form_factors: ["PHONE", "TABLET"] }),
    ]);
    for (const text of ["Android 15.0, API 35", "x86", "Beta", "Phone, Tablet", "Used by 1 recipe"])
      await expect.element(card("Official").getByText(text, { exact: true })).toBeVisible();
    await expect.element(card("Mine").getByText("Used by 2 recipes")).toBeVisible();
    await expect.element(card("Mine").getByText("Saving")).toBeVisible();
    const [asked] = service.to("GET", /os-images$/);
    expect([asked?.query.get("page"), asked?.query.get("page_size"), asked?.query.get("source")]).toEqual([
      "1",
      "12",
      "all",
    ]);
    expect(nameless()).toEqual([]);
    expect(screen.getByRole("button", { name: /create/i }).elements()).toEqual([]);
  });

  it("are those of the source, the search and the architecture in the address", async () => {
    const { screen, service } = await open([mine()], {}, "/?search=fern&arch=x86#custom");
    await expect.element(screen.getByLabelText("Search OS images")).toHaveValue("fern");
    const [asked] = service.to("GET", /os-images$/);
    expect(["source", "search", "arch"].map((name) => asked?.query.get(name))).toEqual(["custom", "fern", "x86"]);
  });

  it("can be asked for again when they did not load", async () => {
    const { screen } = await open([], { "GET /v1/os-images": refuse("INTERNAL_ERROR") });
    await expect.element(screen.getByText("Fail to fetch OS images.")).toBeVisible();
    await expect.element(screen.getByRole("button", { name: "Try again" })).toBeVisible();
  });

  it("are said to be none", async () => {
    const { screen } = await open([]);
    await expect.element(screen.getByText("There are no OS images")).toBeVisible();
  });
});

describe("the details", () => {
  it("say all that is known: the size of the saved state, and which recipes use it", async () => {
    const boot_ms = { p50: 1240, p95: 12_400 };
    const { service, card, dialog } = await open([mine({ saved_size: 1_572_864, recipe_count: 3, boot_ms })]);
    await card("Mine").getByRole("button", { name: "Mine", exact: true }).click();
    for (const text of ["1.5 MB", "1.2 s; 95 of 100 starts within 12 s", "Used by 3 recipes", "Checkout", "and 2 more"])
      await expect.element(dialog.getByText(text)).toBeVisible();
    const [asked] = service.to("GET", /v3\/recipes$/);
    expect(asked?.query.get("os_image_uuid")).toMatch(/^0000/);
    expect(nameless()).toEqual([]);
  });

  it("warn of an architecture that the organization does not support", async () => {
    const { card, dialog } = await open([official({ arch: "x86" })]);
    await card("Official").getByRole("button", { name: "Official", exact: true }).click();
    await expect.element(dialog.getByText(/restricted since March 30, 2026.*does not support x86/)).toBeVisible();
  });

  it("warn of a runtime that is not there, and look for no recipes where there are none", async () => {
    const { service, card, dialog } = await open([official({ is_runtime_configured: false, recipe_count: 0 })]);
    await card("Official").getByRole("button", { name: "Official", exact: true }).click();
    await expect.element(dialog.getByText("This installation has no runtime for this image.")).toBeVisible();
    await expect.element(dialog.getByText("Used by no recipe")).toBeVisible();
    expect(service.to("GET", /v3\/recipes$/)).toEqual([]);
  });

  it("say when the image could not be read anew", async () => {
    const { card, dialog } = await open([official()], { "GET /v1/os-images/:uuid": refuse("INTERNAL_ERROR") });
    await card("Official").getByRole("button", { name: "Official", exact: true }).click();
    await expect.element(dialog.getByText("Fail to fetch OS image.")).toBeVisible();
  });
});

describe("what can be done", () => {
  it.each([
    ["nothing but a copy of official ones", official(), user, ["Duplicate"]],
    ["nothing but a copy of a colleague's", colleagues(), user, ["Duplicate"]],
    ["everything for a manager", colleagues(), manager, ["Delete", "Duplicate", "Rename"]],
    ["no copy and no end of one that is being saved", mine({ status: "UPDATING" }), user, ["Rename"]],
    ["no copy of one in error", mine({ status: "ERROR" }), user, ["Delete", "Rename"]],
  ])("is %s", async (_, image, me, expected) => {
    const { card, dialog } = await open([image], {}, "/", me);
    await card(image.name).getByRole("button", { name: image.name, exact: true }).click();
    await expect.element(dialog).toBeVisible();
    const names = () => dialog.getByRole("button", { name: /^(Delete|Duplicate|Rename)$/ }).elements();
    expect(names().map((button) => button.textContent)).toEqual(expected);
  });
});

it("renames an image", async () => {
  const { service, card, dialog } = await open([mine()]);
  await card("Mine").getByRole("button", { name: "Rename Mine" }).click();
  await dialog.getByLabelText("Name").fill("x".repeat(251));
  await dialog.getByRole("button", { name: "Rename image" }).click();
  await dialog.getByLabelText("Name").fill("");
  await expect.element(dialog.getByText("Required")).toBeVisible();
  expect(service.to("PUT", /./)).toEqual([]);
  await dialog.getByLabelText("Name").fill(" Ours ");
  await dialog.getByRole("button", { name: "Rename image" }).click();
  await expect.element(card("Ours")).toBeVisible();
  expect(service.to("PUT", /os-images/)[0]?.body).toEqual({ name: "Ours" });
  expect(said()).toEqual(["Renamed to “Ours”"]);
});

it("duplicates an image", async () => {
  const { service, card, dialog } = await open([official()]);
  await card("Official").getByRole("button", { name: "Duplicate Official" }).click();
  await expect.element(dialog.getByLabelText("Name")).toHaveValue("Copy of Official");
  await dialog.getByRole("button", { name: "Duplicate image" }).click();
  await expect.element(card("Copy of Official")).toBeVisible();
  expect(service.to("POST", /duplicate$/)[0]?.body).toEqual({ name: "Copy of Official" });
  expect(said()).toEqual(["Duplicated as “Copy of Official”"]);
});

it("deletes an image, after saying what becomes of its recipes", async () => {
  const { screen, card, menu, dialog } = await open([mine({ recipe_count: 2 }), official()]);
  await menu("Mine", "Delete");
  await expect.element(dialog.getByText(/2 recipes use it. They become incomplete/)).toBeVisible();
  await expect.element(screen.getByRole("button", { name: "Cancel" })).toHaveFocus();
  await dialog.getByRole("button", { name: "Delete image" }).click();
  await expect.element(card("Mine")).not.toBeInTheDocument();
  expect(said()).toEqual(["Deleted “Mine”"]);
});

it("takes one that is gone already for deleted", async () => {
  const { menu, dialog } = await open([mine()], { "DELETE /v1/os-images/:uuid": refuse("OS_IMAGE_NOT_FOUND") });
  await menu("Mine", "Delete");
  await dialog.getByRole("button", { name: "Delete image" }).click();
  await soon(() => expect(said()).toEqual(["Deleted “Mine”"]));
});

it.each([
  ["Rename", "PUT", "INTERNAL_ERROR", "Fail to edit OS image."],
  ["Rename", "PUT", "OS_IMAGE_NOT_FOUND", "OS image not found."],
  ["Rename", "PUT", "OS_IMAGE_NOT_ALLOWED", "You are not allowed to change this OS image."],
  ["Duplicate", "POST", "INTERNAL_ERROR", "Fail to duplicate OS image."],
  [
    "Duplicate",
    "POST",
    "TOO_MANY_OS_IMAGES",
    "Your organization has as many OS images as it may. Delete some that nobody uses, then try again.",
  ],
  ["Duplicate", "POST", "OS_IMAGE_NOT_READY", "This OS image is not ready."],
  ["Delete", "DELETE", "INTERNAL_ERROR", "Fail to delete OS image."],
  ["Delete", "DELETE", "OS_IMAGE_MUST_NOT_BE_SAVING", "This OS image is being saved. Try again when it is ready."],
] as const)("says in the dialog that %s was refused: %s %s", async (what, method, code, sentence) => {
  const route = `${method} /v1/os-images/:uuid${method === "POST" ? "/duplicate" : ""}`;
  const { menu, card, dialog } = await open([mine()], { [route]: refuse(code) });
  if (what === "Rename") await card("Mine").getByRole("button", { name: "Rename Mine" }).click();
  else await menu("Mine", what);
  await dialog.getByRole("button", { name: `${what} image` }).click();
  await expect.element(dialog.getByText(sentence)).toBeVisible();
});
