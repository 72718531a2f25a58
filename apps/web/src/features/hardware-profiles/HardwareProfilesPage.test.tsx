import { AppError, type EditHardwareProfile, type HardwareProfile } from "@terrarium/contract";
import { beforeEach, describe, expect, it } from "vitest";
import { page as browserPage, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { closeSnack, readSnacks } from "../../components/snack-queue.ts";
import { Snacks } from "../../components/Snacks.tsx";
import { MeContext } from "../../session/user.ts";
import { aHardwareProfile, anId, manager, user } from "../../testing/factories.ts";
import { aPage, fakeService, refuse } from "../../testing/fake-service.ts";
import { InTestApp } from "../../testing/InTestApp.tsx";
import { nameless } from "../../testing/names.ts";
import { soon } from "../../testing/soon.ts";
import HardwareProfilesPage from "./HardwareProfilesPage.tsx";

const mine = (fields: Partial<HardwareProfile> = {}) =>
  aHardwareProfile({ name: "Mine", is_official: false, owner: user, recipe_count: 0, ...fields });
const kim = { uuid: anId(), email: "kim@demo.test", first_name: "Kim", last_name: "Lee" };
const colleagues = () => aHardwareProfile({ name: "Kim's", is_official: false, owner: kim });
const official = () => aHardwareProfile({ name: "Official" });

beforeEach(async () => {
  for (const { id } of readSnacks()) closeSnack(id);
  await browserPage.viewport(1440, 900);
});

const said = () => readSnacks().map(({ message }) => message);

/** The page over a service that keeps `profiles`; it refuses what `answers` says. */
async function open(
  profiles: HardwareProfile[],
  answers: Parameters<typeof fakeService>[0] = {},
  address = "/",
  me = user,
) {
  const service = fakeService({
    "GET /v1/hardware-profiles": ({ query }) => {
      const found = profiles.filter(({ owner }) => query.get("source") !== "owner" || owner?.uuid === me.uuid);
      return aPage(found);
    },
    "GET /v1/hardware-profiles/:uuid": ({ path }) => profiles.find(({ uuid }) => path.endsWith(uuid)),
    "POST /v1/hardware-profiles": ({ body }) => {
      const created = mine(body as Partial<HardwareProfile>);
      profiles.unshift(created);
      return created;
    },
    "PUT /v1/hardware-profiles/:uuid": ({ path, body }) => {
      const found = profiles.find(({ uuid }) => path.endsWith(uuid));
      return Object.assign(found!, body);
    },
    "DELETE /v1/hardware-profiles/:uuid": ({ path }) => {
      profiles.splice(0, profiles.length, ...profiles.filter(({ uuid }) => !path.endsWith(uuid)));
      return null;
    },
    ...answers,
  });
  const screen = await render(
    <InTestApp address={address}>
      <MeContext value={me}>
        <HardwareProfilesPage />
      </MeContext>
      <Snacks />
    </InTestApp>,
  );
  const card = (name: string) =>
    screen.getByRole("list", { name: "Hardware profiles" }).getByRole("listitem", { name });
  const menu = async (name: string, item: string) => {
    await card(name)
      .getByRole("button", { name: `More actions for ${name}` })
      .click();
    await screen.getByRole("menuitem", { name: item }).click();
  };
  const dialog = screen.getByRole("dialog");
  return { screen, service, card, menu, dialog };
}

describe("the profiles", () => {
  it("are asked for in pages of twelve, and shown with what they are", async () => {
    const { service, card } = await open([mine({ recipe_count: 2 }), official()]);
    await expect.element(card("Official").getByText("1080 × 2400")).toBeVisible();
    await expect.element(card("Official").getByText("420 dpi")).toBeVisible();
    await expect.element(card("Mine").getByText("Custom, by you")).toBeVisible();
    await expect.element(card("Mine").getByText("Used by 2 recipes")).toBeVisible();
    const [asked] = service.to("GET", /hardware-profiles$/).filter(({ query }) => query.get("page_size") === "12");
    expect([asked?.query.get("page"), asked?.query.get("source")]).toEqual(["1", "all"]);
    expect(nameless()).toEqual([]);
  });

  it("are those of the source and the search in the address", async () => {
    const { screen, service } = await open([mine()], {}, "/?search=fern#custom");
    await expect.element(screen.getByLabelText("Search hardware profiles")).toHaveValue("fern");
    const [asked] = service.to("GET", /hardware-profiles$/);
    expect([asked?.query.get("source"), asked?.query.get("search")]).toEqual(["custom", "fern"]);
    // The recent ones would be in the way.
    expect(screen.getByRole("region", { name: "Your recent profiles" }).elements()).toEqual([]);
  });

  it("of the caller that were changed last, five at most, are within one press", async () => {
    const { screen, service, dialog } = await open([mine(), official()]);
    const recent = screen.getByRole("region", { name: "Your recent profiles" });
    await expect.element(recent.getByRole("button")).toHaveTextContent("PhoneMine");
    const asked = service.to("GET", /hardware-profiles$/).find(({ query }) => query.get("source") === "owner");
    expect(Object.fromEntries(asked?.query ?? [])).toEqual({
      source: "owner",
      ordering: "-updated_at",
      page_size: "5",
    });
    await recent.getByRole("button", { name: /Mine$/ }).click();
    await expect.element(dialog.getByText("Custom, by you")).toBeVisible();
  });

  it("can be asked for again when they did not load", async () => {
    const { screen } = await open([], { "GET /v1/hardware-profiles": refuse("INTERNAL_ERROR") });
    await expect.element(screen.getByText("Fail to fetch hardware profiles.")).toBeVisible();
    await expect.element(screen.getByRole("button", { name: "Try again" })).toBeVisible();
  });

  it("are said to be none", async () => {
    const { screen } = await open([]);
    await expect.element(screen.getByText("There are no hardware profiles")).toBeVisible();
  });

  it("show all that is known of them", async () => {
    const { card, dialog } = await open([
      mine({
        display_mode: "FOLDABLE",
        display_settings: {
          displays: [
            { width: 2208, height: 1840, density: 420, physical_size: null, show_navigation_bar: false },
            { width: 1080, height: 2092, density: 160, physical_size: 6.2, show_navigation_bar: false },
          ],
          hw_navigation_keys: true,
        },
        device_properties: { product_model: "Fern 1", "ro.custom": "x" },
      }),
    ]);
    await card("Mine").getByRole("button", { name: "Mine", exact: true }).click();
    for (const fact of [
      /2208 × 1840, 420 dpi \(xxhdpi\), 6.8\sin/,
      /1080 × 2092, 160 dpi \(mdpi\), 6.2\sin/,
      "Foldable",
      "Hardware keys",
      "Fern 1",
      "ro.custom",
      "4096 MB",
    ])
      await expect.element(dialog.getByText(fact)).toBeVisible();
    expect(nameless()).toEqual([]);
  });
});

describe("what may be done with a profile", () => {
  it.each([
    ["one's own", mine, user, ["Close", "Delete", "Duplicate", "Edit"]],
    ["an official one", official, manager, ["Close", "Duplicate"]],
    ["a colleague's", colleagues, user, ["Close", "Duplicate"]],
    ["a colleague's, for the manager", colleagues, manager, ["Close", "Delete", "Duplicate", "Edit"]],
  ] as const)("is told of %s", async (_, profile, me, buttons) => {
    const { name } = profile();
    const { card, dialog } = await open([profile()], {}, "/", me);
    await card(name).getByRole("button", { name, exact: true }).click();
    await expect.element(dialog.getByText("Form factor")).toBeVisible();
    expect(
      dialog
        .getByRole("button")
        .elements()
        .map(({ textContent }) => textContent),
    ).toEqual(buttons);
  });
});

describe("creating a profile", () => {
  it("sends what was typed, and says so", async () => {
    const { screen, service, card, dialog } = await open([official()]);
    await screen.getByRole("button", { name: "Create profile" }).click();
    await dialog.getByLabelText("Name").fill("Odd fold");
    await dialog.getByRole("button", { name: "Foldable" }).click();
    await dialog.getByLabelText("Density (dpi)").fill("421");
    await dialog.getByRole("button", { name: "Add display" }).click();
    const inner = dialog.getByRole("group", { name: "Inner display" });
    await inner.getByLabelText("Width (px)").fill("1700");
    await inner.getByLabelText("Diagonal (in)").fill("7.1");
    await dialog.getByLabelText("Hardware navigation keys").click();
    await dialog.getByRole("combobox", { name: "vCPUs" }).click();
    expect(
      screen
        .getByRole("option")
        .elements()
        .map(({ textContent }) => textContent),
    ).toEqual(["1", "2", "4", "8"]);
    await screen.getByRole("option", { name: "8" }).click();
    await dialog.getByRole("combobox", { name: "RAM" }).click();
    expect(
      screen
        .getByRole("option")
        .elements()
        .map(({ textContent }) => textContent),
    ).toEqual([1024, 2048, 3072, 4096, 6144, 8192].map((size) => `${size} MB`));
    await screen.getByRole("option", { name: "6144 MB" }).click();
    await dialog.getByRole("button", { name: "Advanced properties" }).click();
    await expect.element(dialog.getByRole("combobox", { name: "Build type" })).toHaveTextContent("As the image says");
    await dialog.getByLabelText("Model").fill("Odd 1");
    await dialog.getByLabelText("VM heap size").fill("256m");
    expect(nameless()).toEqual([]);
    await dialog.getByRole("button", { name: "Create profile" }).click();
    await expect.element(card("Odd fold")).toBeVisible();
    expect(service.to("POST", /hardware-profiles/)[0]?.body).toEqual({
      name: "Odd fold",
      form_factor: "PHONE",
      display_mode: "FOLDABLE",
      display_settings: {
        displays: [
          { width: 1700, height: 2400, density: 421, physical_size: 7.1, show_navigation_bar: false },
          { width: 1080, height: 1920, density: 421, physical_size: null, show_navigation_bar: false },
        ],
        hw_navigation_keys: true,
      },
      device_properties: { product_model: "Odd 1", vm_heap_size: "256m" },
      cpu_count: 8,
      ram_size: 6144,
      data_disk_size: 16_384,
    });
    expect(said()).toEqual(["Created “Odd fold”"]);
  });

  it("says at once how many displays a mode has, and sends nothing until it has them", async () => {
    const { screen, service, dialog } = await open([official()]);
    await screen.getByRole("button", { name: "Create profile" }).click();
    await dialog.getByLabelText("Name").fill("Fern");
    const send = dialog.getByRole("button", { name: "Create profile" });
    await dialog.getByRole("button", { name: "Multi-display" }).click();
    await expect.element(dialog.getByText("Requires at least 2 displays.")).toBeVisible();
    await send.click();
    await dialog.getByRole("button", { name: "Foldable" }).click();
    await expect.element(dialog.getByText("Requires 2 displays.")).toBeVisible();
    await dialog.getByRole("button", { name: "Add display" }).click();
    await expect.element(dialog.getByText("Requires 2 displays.")).not.toBeInTheDocument();
    await dialog.getByRole("button", { name: "Regular" }).click();
    await expect.element(dialog.getByText("Requires only 1 display.")).toBeVisible();
    await send.click();
    expect(service.to("POST", /hardware-profiles/)).toEqual([]);
    await dialog.getByRole("button", { name: "Remove Display 2" }).click();
    await send.click();
    await expect.element(dialog).not.toBeInTheDocument();
    expect(service.to("POST", /hardware-profiles/).length).toBe(1);
  });

  it("adds no more displays than a mode has", async () => {
    const { screen, dialog } = await open([official()]);
    await screen.getByRole("button", { name: "Create profile" }).click();
    const add = dialog.getByRole("button", { name: "Add display" });
    await expect.element(dialog.getByLabelText("Name")).toBeVisible();
    expect(add.elements()).toEqual([]);
    await dialog.getByRole("button", { name: "Multi-display" }).click();
    for (const count of [2, 3, 4]) {
      await add.click();
      await expect.element(dialog.getByRole("group", { name: `Display ${count}` })).toBeVisible();
    }
    expect(add.elements()).toEqual([]);
  });

  it("opens the advanced properties when one of them is wrong, and leads there", async () => {
    const { screen, dialog } = await open([official()], {
      "POST /v1/hardware-profiles": () => {
        throw new AppError("invalid_request", {
          fields: [{ field: "device_properties.product_brand", message: "Not this one" }],
        });
      },
    });
    await screen.getByRole("button", { name: "Create profile" }).click();
    await dialog.getByLabelText("Name").fill("Fern");
    await dialog.getByRole("button", { name: "Create profile" }).click();
    await expect.element(dialog.getByText("Not this one")).toBeVisible();
    await expect.element(dialog.getByLabelText("Brand")).toHaveFocus();
    await dialog.getByLabelText("Brand").fill("Fern");
    await expect.element(dialog.getByText("Not this one")).not.toBeInTheDocument();
    await expect.element(dialog.getByLabelText("Brand")).toBeVisible();
  });

  it("says at the field what is wrong with a number, and draws what there is", async () => {
    const { screen, dialog } = await open([official()]);
    await screen.getByRole("button", { name: "Create profile" }).click();
    await dialog.getByLabelText("Width (px)").fill("9000");
    await userEvent.keyboard("{Tab}");
    await expect.element(dialog.getByLabelText("Width (px)")).toHaveAccessibleDescription("Must be at max 8192");
    await dialog.getByLabelText("Width (px)").fill("2400");
    await expect.element(dialog.getByText(/8.1\sin, xxhdpi/)).toBeVisible();
    const { width, height } = screen
      .getByRole("figure", { name: "How it looks" })
      .element()
      .querySelector("svg")!
      .getBoundingClientRect();
    expect(width / height).toBeCloseTo(1);
  });
});

describe("changing a profile", () => {
  it("starts with it as it is now, tells who is concerned, and saves it", async () => {
    const { service, card, dialog } = await open([mine({ recipe_count: 3 })]);
    await card("Mine").getByRole("button", { name: "Edit Mine" }).click();
    await expect.element(dialog.getByText(/3 recipes are made of it/)).toBeVisible();
    await dialog.getByLabelText("Name").fill("Ours");
    await dialog.getByRole("button", { name: "Save profile" }).click();
    await expect.element(card("Ours")).toBeVisible();
    expect(service.to("PUT", /hardware-profiles/)[0]?.body).toMatchObject({ name: "Ours", cpu_count: 4 });
    expect(said()).toEqual(["Saved “Ours”"]);
  });

  it("that was changed meanwhile overwrites nothing before one was told", async () => {
    let profile = mine();
    const { service, card, dialog } = await open([profile], {
      "GET /v1/hardware-profiles/:uuid": () => profile,
      "PUT /v1/hardware-profiles/:uuid": ({ body }) => {
        if ((body as EditHardwareProfile).revision !== profile.revision) throw new AppError("HARDWARE_PROFILE_CHANGED");
        return profile;
      },
    });
    await card("Mine").getByRole("button", { name: "Edit Mine" }).click();
    await dialog.getByLabelText("Name").fill("Ours");
    profile = { ...profile, revision: 7, name: "Theirs", data_disk_size: 20_000 };
    await dialog.getByRole("button", { name: "Save profile" }).click();
    await expect.element(dialog.getByText(/^This hardware profile was changed meanwhile\./)).toBeVisible();
    await expect.element(dialog.getByRole("combobox", { name: "Disk" })).toHaveTextContent("20000 MB");
    await expect.element(dialog.getByLabelText("Name")).toHaveValue("Ours");
    await dialog.getByRole("button", { name: "Save profile" }).click();
    await soon(() => expect(said()).toEqual(["Saved “Theirs”"]));
    expect(service.to("PUT", /./).map(({ body }) => body)).toMatchObject([
      { name: "Ours", data_disk_size: 32_768, revision: 1 },
      { name: "Ours", data_disk_size: 20_000, revision: 7 },
    ]);
  });

  it("is given up, with the reason, when it cannot be read", async () => {
    const { card, dialog } = await open([mine()], { "GET /v1/hardware-profiles/:uuid": refuse("INTERNAL_ERROR") });
    await card("Mine").getByRole("button", { name: "Edit Mine" }).click();
    await soon(() => expect(said()).toEqual(["Fail to fetch hardware profile."]));
    await expect.element(dialog).not.toBeInTheDocument();
  });

  it("keeps a size of the disk that the form does not offer", async () => {
    const { service, card, dialog } = await open([mine({ data_disk_size: 20_000 })]);
    await card("Mine").getByRole("button", { name: "Edit Mine" }).click();
    await expect.element(dialog.getByRole("combobox", { name: "Disk" })).toHaveTextContent("20000 MB");
    await dialog.getByRole("button", { name: "Save profile" }).click();
    await soon(() => expect(service.to("PUT", /./)[0]?.body).toMatchObject({ data_disk_size: 20_000 }));
  });
});

describe("duplicating a profile", () => {
  it("creates another with the same hardware", async () => {
    const { service, card, dialog } = await open([official()]);
    await card("Official").getByRole("button", { name: "Duplicate Official" }).click();
    await expect.element(dialog.getByLabelText("Name")).toHaveValue("Copy of Official");
    await dialog.getByRole("button", { name: "Duplicate profile" }).click();
    await expect.element(card("Copy of Official")).toBeVisible();
    expect(service.to("POST", /./)[0]?.body).toMatchObject({ name: "Copy of Official", ram_size: 4096 });
    expect(said()).toEqual(["Duplicated as “Copy of Official”"]);
  });
});

describe("deleting a profile", () => {
  it("says before what becomes of its recipes", async () => {
    const { screen, card, menu, dialog } = await open([mine({ recipe_count: 2 }), official()]);
    await menu("Mine", "Delete");
    await expect.element(dialog.getByText(/2 recipes use it. They become incomplete/)).toBeVisible();
    await expect.element(screen.getByRole("button", { name: "Cancel" })).toHaveFocus();
    await dialog.getByRole("button", { name: "Delete profile" }).click();
    await expect.element(card("Mine")).not.toBeInTheDocument();
    expect(said()).toEqual(["Deleted “Mine”"]);
  });

  it("of one that is gone already is done", async () => {
    const { menu, dialog } = await open([mine()], {
      "DELETE /v1/hardware-profiles/:uuid": refuse("HARDWARE_PROFILE_NOT_FOUND"),
    });
    await menu("Mine", "Delete");
    await dialog.getByRole("button", { name: "Delete profile" }).click();
    await soon(() => expect(said()).toEqual(["Deleted “Mine”"]));
  });
});

it.each([
  ["create", "POST", "INTERNAL_ERROR", "Fail to create hardware profile."],
  ["edit", "PUT", "INTERNAL_ERROR", "Fail to edit hardware profile."],
  ["edit", "PUT", "HARDWARE_PROFILE_NOT_FOUND", "Hardware profile not found."],
  [
    "duplicate",
    "POST",
    "TOO_MANY_HARDWARE_PROFILES",
    "Your organization has as many hardware profiles as it may. Delete some that nobody uses, then try again.",
  ],
  ["edit", "PUT", "HARDWARE_PROFILE_NOT_ALLOWED", "You are not allowed to change this hardware profile."],
  [
    "edit",
    "PUT",
    "FORM_FACTOR_MISMATCH",
    "A recipe uses this profile with an OS image that does not support this form factor.",
  ],
  ["duplicate", "POST", "INTERNAL_ERROR", "Fail to duplicate hardware profile."],
  ["delete", "DELETE", "INTERNAL_ERROR", "Fail to delete hardware profile."],
] as const)("says in the dialog that %s was refused: %s %s", async (what, method, code, sentence) => {
  const route = `${method} /v1/hardware-profiles${method === "POST" ? "" : "/:uuid"}`;
  const { screen, menu, card, dialog } = await open([mine()], { [route]: refuse(code) });
  await expect.element(card("Mine")).toBeVisible();
  if (what === "create") await screen.getByRole("button", { name: "Create profile" }).click();
  else if (what === "edit") await card("Mine").getByRole("button", { name: "Edit Mine" }).click();
  else await menu("Mine", what === "delete" ? "Delete" : "Duplicate");
  if (what === "create") await dialog.getByLabelText("Name").fill("Fern");
  await dialog.getByRole("button", { name: /(Create|Save|Duplicate|Delete) profile/ }).click();
  await expect.element(dialog.getByText(sentence)).toBeVisible();
});
