import { AppError, type EditRecipe, type ErrorCode, type Recipe } from "@terrarium/contract";
import { beforeEach, describe, expect, it } from "vitest";
import { page as browserPage, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { useLocation } from "react-router";
import { closeSnack, readSnacks } from "../../components/snack-queue.ts";
import { Snacks } from "../../components/Snacks.tsx";
import { type Me, MeContext } from "../../session/user.ts";
import { anInstance, anOrganization, aRecipe, guest, manager, managerId, user } from "../../testing/factories.ts";
import { aPage, type Call, fakeService, refuse } from "../../testing/fake-service.ts";
import { InTestApp, testCache } from "../../testing/InTestApp.tsx";
import { nameless } from "../../testing/names.ts";
import { soon } from "../../testing/soon.ts";
import { pressedAround } from "../../testing/pressed-around.ts";
import RecipesPage from "./RecipesPage.tsx";

const mara = { uuid: managerId, email: "manager@demo.test", first_name: "Mara", last_name: "Lindqvist" };
const kim = { ...mara, uuid: "00000000-0000-4000-8000-c00000000000", first_name: "Kim", last_name: "Moss" };
const custom = { is_official: false, source: "CUSTOM", owner: mara } as const;
/** What one may do with a recipe that is one's own, and with one of others. */
const ofOwner = {
  right: "owner",
  actions: ["start", "duplicate", "edit", "share", "save", "roll_back", "delete"],
} satisfies Partial<Recipe>;
const ofCollaborator = {
  owner: kim,
  right: "collaborator",
  actions: ["start", "edit", "share"],
} satisfies Partial<Recipe>;
const ofColleague = { owner: kim, right: "organization", actions: ["start", "duplicate"] } satisfies Partial<Recipe>;
const ofGuest = { owner: kim, right: "guest", actions: ["start"] } satisfies Partial<Recipe>;
const share = {
  uuid: "00000000-0000-4000-8000-d00000000000",
  shared_by: kim,
  message: "Try the\nnew one",
  created_at: "2026-03-05T14:00:00.000Z",
};
const own = (fields: Parameters<typeof aRecipe>[0] = {}) => {
  const recipe = aRecipe({ name: "Fern", description: "green", ...custom, ...ofOwner, ...fields });
  return {
    ...recipe,
    hardware_profile: { ...recipe.hardware_profile, is_official: false, owner: mara, name: "My phone" },
    os_image: { ...recipe.os_image, is_official: false, owner: mara, name: "My image" },
  };
};
/** Without one of its parts. */
const lost = (recipe: Recipe, part: "hardware_profile" | "os_image"): Recipe => ({
  ...recipe,
  [part]: null,
  arch: part === "os_image" ? null : recipe.arch,
});

const Address = () => {
  const { pathname, search, hash } = useLocation();
  return <output aria-label="Address">{pathname + search + hash}</output>;
};

beforeEach(async () => {
  for (const { id } of readSnacks()) closeSnack(id);
  localStorage.clear();
  await browserPage.viewport(1440, 900);
});

interface Options {
  me?: Me;
  address?: string;
  answers?: Parameters<typeof fakeService>[0];
}

/** The page over a service that has `recipes`; it refuses what `answers` says. */
async function open(recipes: Recipe[], { me = manager, address = "/recipes", answers = {} }: Options = {}) {
  const one = ({ path }: Call) => {
    const recipe = recipes.find(({ uuid }) => path.includes(uuid));
    if (!recipe) throw new AppError("RECIPE_NOT_FOUND");
    return recipe;
  };
  const parts = recipes.flatMap(({ hardware_profile, os_image }) =>
    hardware_profile && os_image ? [{ hardware_profile, os_image }] : [],
  );
  const service = fakeService({
    "GET /v3/recipes": () => aPage(recipes),
    "GET /v2/recipes/:uuid": one,
    "GET /v1/organizations/:uuid": () => anOrganization(),
    "GET /v1/hardware-profiles": () => aPage(parts.map((part) => part.hardware_profile)),
    "GET /v1/os-images": () => aPage(parts.map((part) => part.os_image)),
    "POST /v1/recipes": ({ body }) => aRecipe({ ...custom, name: (body as Recipe).name }),
    "PUT /v2/recipes/:uuid": (call) => ({ ...one(call), ...(call.body as object) }),
    "DELETE /v1/recipes/:uuid": () => null,
    "PUT /v1/recipes/:uuid/rollback": one,
    ...answers,
  });
  const cache = testCache();
  const screen = await render(
    <InTestApp address={address} client={cache}>
      <MeContext value={me}>
        <RecipesPage />
        <Address />
      </MeContext>
      <Snacks />
    </InTestApp>,
  );
  const choose = async (name: string, what: string) => {
    await screen.getByRole("button", { name: `More actions for ${name}` }).click();
    await screen.getByRole("menuitem", { name: what }).click();
  };
  /** What a recipe's menu offers. */
  const offered = async (name: string) => {
    await screen.getByRole("button", { name: `More actions for ${name}` }).click();
    await expect.element(screen.getByRole("menu")).toBeVisible();
    const items = screen
      .getByRole("menuitem")
      .elements()
      .map(({ textContent }) => textContent);
    await userEvent.keyboard("{Escape}");
    return items;
  };
  const card = (name: string) => screen.getByRole("listitem", { name, exact: true });
  const pick = async (field: string, part: string) => {
    await screen.getByRole("combobox", { name: field }).click();
    await screen.getByRole("option", { name: new RegExp(part) }).click();
  };
  const listed = () => service.to("GET", /v3\/recipes/).map(({ query }) => query);
  return { screen, service, cache, choose, offered, card, pick, listed };
}

const messages = () => readSnacks().map(({ message }) => message);

describe("the recipes", () => {
  it("are cards with what they are made of, where they come from and how they are", async () => {
    const { screen, card, listed } = await open([own(), aRecipe({ name: "Official one" })]);
    await expect.element(card("Fern")).toBeVisible();
    for (const text of ["green", "Android 15", "arm64", "1080 × 2400", "4 vCPU, 4 GB", "Custom, by you", "Ready"])
      await expect.element(card("Fern").getByText(text, { exact: true })).toBeVisible();
    await expect.element(card("Official one").getByText("Official", { exact: true })).toBeVisible();
    await expect.element(screen.getByText("2 recipes")).toBeVisible();
    expect(Object.fromEntries(listed()[0] ?? [])).toEqual({ page: "1", page_size: "12", arch: "all", source: "all" });
    expect(nameless()).toEqual([]);
  });

  it("are filtered by source, architecture and page, which stand in the address", async () => {
    const { screen, card, listed } = await open([own()], {
      answers: { "GET /v3/recipes": () => aPage([own()], 30) },
    });
    const address = screen.getByLabelText("Address");
    await expect.element(card("Fern")).toBeVisible();
    await screen.getByRole("button", { name: "Next page" }).click();
    await expect.element(address).toHaveTextContent("/recipes?page=2");
    await screen.getByRole("button", { name: "Custom", exact: true }).click();
    await expect.element(address).toHaveTextContent("/recipes#custom");
    await screen.getByRole("combobox", { name: "Architecture" }).click();
    await screen.getByRole("option", { name: "x86_64" }).click();
    await expect.element(address).toHaveTextContent("/recipes?arch=x86_64#custom");
    expect(listed().map((query) => [query.get("page"), query.get("source"), query.get("arch")])).toEqual([
      ["1", "all", "all"],
      ["2", "all", "all"],
      // The service calls it by another name.
      ["1", "shared", "all"],
      ["1", "shared", "x86_64"],
    ]);
  });

  it("are searched once the keys rest", async () => {
    const { screen, card, listed } = await open([own()]);
    await expect.element(card("Fern")).toBeVisible();
    await screen.getByLabelText("Search recipes").fill("pixel");
    await soon(() => expect(listed().map((query) => query.get("search"))).toEqual([null, "pixel"]));
    await expect.element(screen.getByLabelText("Address")).toHaveTextContent("/recipes?search=pixel");
  });

  it.each([
    ["/recipes#official", "official", "/recipes#official"],
    ["/recipes#custom", "shared", "/recipes#custom"],
    ["/recipes#all", "all", "/recipes#all"],
    ["/recipes/#default", "official", "/recipes/#official"],
  ])("of %s come from the source %s", async (address, source, leadsTo) => {
    const { screen, listed } = await open([], { address });
    await soon(() => expect(listed().at(-1)?.get("source")).toBe(source));
    await expect.element(screen.getByLabelText("Address")).toHaveTextContent(leadsTo);
  });

  it("are said to be none that match, with a way out", async () => {
    const { screen } = await open([], { address: "/recipes?search=zz&arch=x86#custom" });
    await expect.element(screen.getByText("No recipes match “zz”")).toBeVisible();
    await expect.element(screen.getByText("You are looking at “zz”, Custom, x86. Try fewer filters.")).toBeVisible();
    await screen.getByRole("button", { name: "Clear filters" }).click();
    await soon(() => expect(screen.getByLabelText("Address").element().textContent).toBe("/recipes"));
    await expect.element(screen.getByText("There are no recipes yet")).toBeVisible();
  });

  it("are counted, however many they are", async () => {
    const { screen } = await open([own()], { answers: { "GET /v3/recipes": () => aPage([own()], 10_067) } });
    await expect.element(screen.getByText("10,067 recipes")).toBeVisible();
    await expect.element(screen.getByText("1–12 of 10,067")).toBeVisible();
  });

  it("lead to the last page when the address leads too far", async () => {
    const { screen } = await open([], {
      address: "/recipes?page=9",
      answers: { "GET /v3/recipes": ({ query }) => aPage(query.get("page") === "2" ? [own()] : [], 13) },
    });
    await expect.element(screen.getByLabelText("Address")).toHaveTextContent("/recipes?page=2");
    await expect.element(screen.getByText("13–13 of 13")).toBeVisible();
  });

  it("can be asked for again when they did not load", async () => {
    let isRefused = true;
    const { screen, card } = await open([], {
      answers: { "GET /v3/recipes": () => (isRefused ? refuse("INTERNAL_ERROR")() : aPage([own()])) },
    });
    await expect.element(screen.getByText("Fail to fetch recipes.")).toBeVisible();
    isRefused = false;
    await screen.getByRole("button", { name: "Try again" }).click();
    await expect.element(card("Fern")).toBeVisible();
  });

  it("that are shared with a guest can be started and looked at, and no source is asked for", async () => {
    const { screen, card, offered, listed } = await open([own({ ...ofGuest, share })], { me: guest });
    await expect.element(card("Fern").getByText("Shared by Kim Moss")).toBeVisible();
    expect(card("Fern").getByText("Custom, by Kim Moss").elements()).toEqual([]);
    await expect.element(card("Fern").getByRole("button", { name: "Start Fern" })).toBeEnabled();
    expect(await offered("Fern")).toEqual(["Details", "Link and badge"]);
    expect(listed()[0]?.has("source")).toBe(false);
    expect(screen.getByRole("group", { name: "Source" }).elements()).toEqual([]);
    expect(screen.getByRole("button", { name: "Create recipe" }).elements()).toEqual([]);
  });

  it("that nobody shared are explained to a guest", async () => {
    const { screen } = await open([], { me: guest });
    await expect.element(screen.getByText("Nothing is shared with you yet")).toBeVisible();
  });

  const link = "Link and badge";
  const all = ["Details", link, "Edit", "Duplicate", "Share", "Delete"];
  it.each<[string, Me, Recipe, string[]]>([
    ["an own one", user, own(), all],
    ["one that others have shared by name", user, own(ofCollaborator), ["Details", link, "Edit", "Share"]],
    ["a colleague's", user, own(ofColleague), ["Details", link, "Duplicate"]],
    ["an official one", manager, aRecipe({ name: "Fern" }), ["Details", link, "Duplicate"]],
    ["one that is being saved", user, own({ status: "UPDATING" }), ["Details", link, "Duplicate", "Share"]],
    ["one that was saved before", user, own({ can_roll_back: true }), [...all.slice(0, 5), "Roll back", "Delete"]],
    [
      "one saved before by a colleague",
      user,
      own({ ...ofColleague, can_roll_back: true }),
      ["Details", link, "Duplicate"],
    ],
  ])("offer what can be done: %s", async (_, me, recipe, expected) => {
    const { offered } = await open([recipe], { me });
    expect(await offered("Fern")).toEqual(expected);
  });

  it.each<[string, Recipe, string, string]>([
    ["CREATING", own({ status: "CREATING" }), "Saving", "This recipe is being saved. Try again when it is ready."],
    ["UPDATING", own({ status: "UPDATING" }), "Saving", "This recipe is being saved. Try again when it is ready."],
    ["ERROR", own({ status: "ERROR" }), "Error", "This recipe is in error and cannot be started."],
    ["no profile", lost(own(), "hardware_profile"), "No hardware profile", "Its hardware profile or its OS image"],
    ["no image", lost(own(), "os_image"), "No OS image", "Its hardware profile or its OS image"],
  ])("that cannot start say why: %s", async (_, recipe, mark, why) => {
    const { screen, card } = await open([recipe]);
    await expect.element(card("Fern").getByText(mark)).toBeVisible();
    await expect.element(card("Fern").getByText(/^(Saving|Error|Incomplete)$/)).toBeVisible();
    expect(card("Fern").getByText("Ready").elements()).toEqual([]);
    const start = card("Fern").getByRole("button", { name: "Start Fern" });
    await expect.element(start).toHaveAttribute("aria-disabled", "true");
    expect(start.element().getAttribute("aria-description")).toContain(why);
    await start.click({ force: true });
    expect(screen.getByRole("dialog").elements()).toEqual([]);
  });
});

describe("starting", () => {
  it("opens the start dialog with the recipe chosen, marks its card, and stays on the page", async () => {
    const answer = Promise.withResolvers<unknown>();
    const { screen, card, service } = await open([aRecipe({ name: "Moss" }), own()], {
      answers: { "POST /v1/recipes/:uuid/start-disposable": () => answer.promise },
    });
    await card("Fern").getByRole("button", { name: "Start Fern" }).click();
    await screen.getByRole("dialog").getByRole("button", { name: "Start device" }).click();
    await soon(() => expect(document.querySelector("li[aria-busy=true]")?.textContent).toContain("Starting…"));
    answer.resolve(anInstance({ name: "fern-1" }));
    await soon(() => expect(document.querySelector("li[aria-busy=true]")).toBeNull());
    await expect.element(screen.getByRole("dialog")).not.toBeInTheDocument();
    expect(messages()).toEqual(["Starting fern-1"]);
    expect(service.to("POST", /start-disposable/)).toHaveLength(1);
  });
});

describe("sharing", () => {
  it("marks the card while it is under way", async () => {
    const answer = Promise.withResolvers<unknown>();
    const { screen, card, choose } = await open([own()], {
      answers: {
        "GET /v2/users": () => aPage([{ ...manager, email: "kim@demo.test" }]),
        "POST /v1/recipes/:uuid/share": () => answer.promise,
      },
    });
    await choose("Fern", "Share");
    await expect.element(screen.getByRole("dialog", { name: "Share “Fern”" }).getByRole("combobox")).toHaveFocus();
    await userEvent.keyboard("kim@demo.test,");
    await screen.getByRole("button", { name: "Share recipe" }).click();
    await soon(() => expect(document.querySelector("li[aria-busy=true]")?.textContent).toContain("Sharing…"));
    answer.resolve({});
    await expect.element(screen.getByRole("dialog")).not.toBeInTheDocument();
    await expect.element(card("Fern")).toHaveAttribute("aria-busy", "false");
    expect(messages()).toEqual(["Shared Fern"]);
  });

  it.each<[string, Partial<Recipe>, string[]]>([
    ["an own one", {}, ["Custom, by you", "Shared"]],
    ["a colleague's", ofColleague, ["Custom, by Kim Moss", "Shared"]],
    ["one shared by name", ofCollaborator, ["Shared by Kim Moss"]],
    [
      "one whose sharer is gone",
      { ...ofGuest, share: { ...share, shared_by: null } },
      ["Custom, by Kim Moss", "Shared"],
    ],
  ])("shows on the card of %s", async (_, fields, says) => {
    const { card } = await open([own({ share, ...fields } as Parameters<typeof own>[0])]);
    await expect.element(card("Fern")).toBeVisible();
    const origins = card("Fern").getByText(/^(Custom|Shared)/);
    expect(origins.elements().map(({ textContent }) => textContent)).toEqual(says);
  });

  it("is asked for from the details too, which say who has shared it and why", async () => {
    const { screen } = await open([own({ ...ofCollaborator, share })], {
      answers: { "GET /v1/shares/:uuid": () => ({ ...share, recipients: { users: [kim] }, organizations: [] }) },
    });
    await screen.getByRole("button", { name: "Fern", exact: true }).click();
    const dialog = screen.getByRole("dialog", { name: "Fern" });
    await expect.element(dialog.getByText("Shared by Kim Moss")).toBeVisible();
    expect(dialog.getByRole("blockquote").element().textContent).toBe("Try the\nnew one");
    await dialog.getByRole("button", { name: "Share" }).click();
    await expect.element(screen.getByRole("dialog", { name: "Share “Fern”" })).toBeVisible();
  });

  it("is not offered in the details to those who may not", async () => {
    const { screen } = await open([own({ ...ofGuest, share })], { me: guest });
    await screen.getByRole("button", { name: "Fern", exact: true }).click();
    await expect.element(screen.getByRole("dialog").getByRole("button", { name: "Start" })).toBeVisible();
    expect(screen.getByRole("dialog").getByRole("button", { name: "Share" }).elements()).toEqual([]);
  });
});

describe("the details", () => {
  it("say all that is known of a recipe", async () => {
    const { screen } = await open([own()]);
    await screen.getByRole("button", { name: "Fern", exact: true }).click();
    const dialog = screen.getByRole("dialog", { name: "Fern" });
    await expect.element(dialog.getByText("My phone, used by this recipe only")).toBeVisible();
    await expect.element(dialog.getByText("15.0, API 35")).toBeVisible();
    expect(nameless()).toEqual([]);
    await dialog.getByRole("button", { name: "Start" }).click();
    await expect.element(screen.getByRole("dialog", { name: "Start a device" })).toBeVisible();
  });

  it("have a link, and a badge that carries it elsewhere", async () => {
    const recipe = own();
    const { screen, choose } = await open([recipe]);
    await choose("Fern", "Details");
    await screen.getByRole("button", { name: "Link and badge" }).click();
    const dialog = screen.getByRole("dialog", { name: "Link to “Fern”" });
    const link = `${location.origin}/start/${recipe.uuid}`;
    const picture = `${location.origin}/badge.svg`;
    const field = (label: string) => dialog.getByRole("textbox", { name: label });
    await expect.element(field("Link to the recipe")).toHaveValue(link);
    await expect.element(field("Badge in Markdown")).toHaveValue(`[![Try it in Terrarium](${picture})](${link})`);
    const image = `<img src="${picture}" alt="Try it in Terrarium" width="152" height="28">`;
    await expect.element(field("Badge in HTML")).toHaveValue(`<a href="${link}">${image}</a>`);
    await expect.element(dialog.getByRole("img", { name: "Try it in Terrarium" })).toBeVisible();
    expect(nameless()).toEqual([]);
    await dialog.getByRole("button", { name: "Copy Badge in HTML" }).click();
    await expect.element(dialog.getByRole("button", { name: "Copied" })).toBeVisible();
  });

  it("say what a recipe has lost", async () => {
    const { screen } = await open([lost(own(), "os_image")]);
    await screen.getByRole("button", { name: "Fern", exact: true }).click();
    await expect.element(screen.getByText(/OS image was deleted\. Edit the recipe/)).toBeVisible();
    await expect.element(screen.getByRole("dialog").getByText("Incomplete")).toBeVisible();
    expect(screen.getByRole("dialog").getByRole("button", { name: "Start" }).elements()).toEqual([]);
  });
});

describe.each(["Details", "Edit", "Duplicate", "Delete"])("opening %s", (what) => {
  it.each(["INTERNAL_ERROR", "RECIPE_NOT_FOUND"] as const)(
    "of a recipe that cannot be fetched (%s) closes the dialog and says so",
    async (code) => {
      const { screen, choose } = await open([own()], { answers: { "GET /v2/recipes/:uuid": refuse(code) } });
      await choose("Fern", what);
      await soon(() => expect(messages()).toEqual(["Fail to fetch recipe."]));
      await expect.element(screen.getByRole("dialog")).not.toBeInTheDocument();
    },
  );
});

describe("creating a recipe", () => {
  it("takes a name and two parts, one's recent ones first", async () => {
    const recipe = own();
    const { screen, service, pick } = await open([recipe, aRecipe()]);
    await screen.getByRole("button", { name: "Create recipe" }).click();
    await screen.getByLabelText("Name").fill("  Moss ");
    await pick("Hardware profile", "My phone");
    await pick("OS image", "My image");
    const recent = service.to("GET", /hardware-profiles/).map(({ query }) => Object.fromEntries(query));
    expect(recent).toContainEqual({ source: "owner", ordering: "-updated_at", page_size: "5" });
    expect(nameless()).toEqual([]);
    await screen.getByRole("dialog").getByRole("button", { name: "Create recipe" }).click();
    await soon(() => expect(messages()).toEqual(["Created Moss"]));
    expect(service.to("POST", /recipes/)[0]?.body).toEqual({
      name: "Moss",
      description: "",
      hardware_profile_uuid: recipe.hardware_profile.uuid,
      os_image_uuid: recipe.os_image.uuid,
    });
    await expect.element(screen.getByRole("dialog")).not.toBeInTheDocument();
    expect(service.to("GET", /v3\/recipes/)).toHaveLength(2);
  });

  it("needs a name and both parts", async () => {
    const { screen, service } = await open([own()]);
    await screen.getByRole("button", { name: "Create recipe" }).click();
    await screen.getByRole("dialog").getByRole("button", { name: "Create recipe" }).click();
    await soon(() => expect(screen.getByText("Required").elements()).toHaveLength(3));
    await screen.getByLabelText("Name").fill("x".repeat(251));
    await expect.element(screen.getByText("Use up to 250 characters")).toBeVisible();
    expect(service.to("POST", /recipes/)).toEqual([]);
  });

  it("counts the characters that are left", async () => {
    const { screen } = await open([own()]);
    await screen.getByRole("button", { name: "Create recipe" }).click();
    await expect.element(screen.getByText("250 left")).toBeVisible();
    await screen.getByLabelText("Name").fill("Moss");
    await expect.element(screen.getByText("246 left")).toBeVisible();
  });

  it.each([
    [{ form_factors: ["TV" as const] }, "My image is not for this form factor. It runs on: TV"],
    [{ arch: "x86" as const }, "Your organization does not support x86"],
  ])("is refused with an image that does not fit: %j", async (wrong, says) => {
    const recipe = own();
    const { screen, service, pick } = await open([{ ...recipe, os_image: { ...recipe.os_image, ...wrong } }]);
    await screen.getByRole("button", { name: "Create recipe" }).click();
    await screen.getByLabelText("Name").fill("Moss");
    await pick("OS image", "My image");
    await pick("Hardware profile", "My phone");
    await expect.element(screen.getByText(says)).toBeVisible();
    await screen.getByRole("dialog").getByRole("button", { name: "Create recipe" }).click();
    await expect.element(screen.getByText(says)).toBeVisible();
    expect(service.to("POST", /recipes/)).toEqual([]);
  });

  it("says that there are more parts than it lists", async () => {
    const { screen } = await open([own()], {
      answers: {
        "GET /v1/hardware-profiles": ({ query }) => aPage([own().hardware_profile], query.has("source") ? 0 : 10_004),
      },
    });
    await screen.getByRole("button", { name: "Create recipe" }).click();
    await screen.getByRole("combobox", { name: "Hardware profile" }).click();
    await expect.element(screen.getByText("All: the first 1 of 10,004. Type to narrow them down")).toBeVisible();
  });

  it("lists one's recent parts once, and takes the name of a chosen one for no search", async () => {
    const { screen, service, choose } = await open([own()]);
    await choose("Fern", "Edit");
    const field = screen.getByRole("combobox", { name: "OS image" });
    await expect.element(field).toHaveValue("My image");
    await field.click();
    await expect.element(screen.getByRole("group", { name: "Your recent ones" }).getByRole("option")).toBeVisible();
    expect(screen.getByRole("option", { name: /My image/ }).elements()).toHaveLength(1);
    expect(service.to("GET", /os-images/).every(({ query }) => !query.get("search"))).toBe(true);
    await field.fill("my");
    await expect.element(screen.getByRole("group", { name: "Found" }).getByRole("option")).toBeVisible();
    expect(screen.getByRole("group", { name: "Your recent ones" }).elements()).toEqual([]);
  });

  it("searches all parts as one types", async () => {
    const { screen, service } = await open([own()]);
    await screen.getByRole("button", { name: "Create recipe" }).click();
    await screen.getByRole("combobox", { name: "OS image" }).fill("fourteen");
    await soon(() =>
      expect(service.to("GET", /os-images/).map(({ query }) => query.get("search"))).toContain("fourteen"),
    );
  });
});

const refusals: [ErrorCode, string][] = [
  ["HARDWARE_PROFILE_NOT_FOUND", "It was deleted meanwhile. Choose another."],
  ["OS_IMAGE_NOT_FOUND", "It was deleted meanwhile. Choose another."],
  ["FORM_FACTOR_MISMATCH", "The OS image does not support the form factor of the hardware profile"],
  ["ARCH_NOT_SUPPORTED", "Your organization does not support this architecture"],
  [
    "TOO_MANY_RECIPES",
    "Your organization has as many recipes as it may. Delete some that nobody uses, then try again.",
  ],
];

describe.each([
  ["Duplicate", "POST /v1/recipes", "Create copy", "Fail to duplicate recipe.", "Created Copy of Fern"],
  ["Edit", "PUT /v2/recipes/:uuid", "Save recipe", "Fail to edit recipe.", "Saved Fern"],
])("%s", (what, route, submit, failed, said) => {
  it("starts from what the recipe is", async () => {
    const recipe = own();
    const { screen, service, choose } = await open([recipe]);
    await choose("Fern", what);
    await expect.element(screen.getByRole("combobox", { name: "OS image" })).toHaveValue("My image");
    await screen.getByRole("button", { name: submit }).click();
    await soon(() => expect(messages()).toEqual([said]));
    const call = service.calls.find(({ method }) => method !== "GET");
    expect(call?.body).toEqual({
      name: what === "Edit" ? "Fern" : "Copy of Fern",
      description: "green",
      hardware_profile_uuid: recipe.hardware_profile.uuid,
      os_image_uuid: recipe.os_image.uuid,
      ...(what === "Edit" && { revision: 1 }),
    });
  });

  it.each([...refusals, ["INTERNAL_ERROR", failed] as [ErrorCode, string]])(
    "says what was refused in the dialog, which stays: %s",
    async (code, sentence) => {
      const { screen, choose } = await open([own()], { answers: { [route]: refuse(code) } });
      await choose("Fern", what);
      await screen.getByRole("button", { name: submit }).click();
      await expect.element(screen.getByRole("dialog").getByText(sentence)).toBeVisible();
      await expect.element(screen.getByLabelText("Name")).toHaveValue(what === "Edit" ? "Fern" : "Copy of Fern");
      expect(messages()).toEqual([]);
    },
  );

  it("asks for the part that was lost", async () => {
    const { screen, service, choose } = await open([lost(own(), "os_image")]);
    await choose("Fern", what);
    await screen.getByRole("button", { name: submit }).click();
    await expect.element(screen.getByText("Required")).toBeVisible();
    expect(service.calls.filter(({ method }) => method !== "GET")).toEqual([]);
  });
});

it.each([
  ["RECIPE_MUST_NOT_BE_SAVING", "This recipe is being saved. Try again when it is ready."],
  ["RECIPE_NOT_ALLOWED", "You are not allowed to change this recipe."],
] as const)("editing says that it is refused with %s", async (code, sentence) => {
  const { screen, choose } = await open([own()], { answers: { "PUT /v2/recipes/:uuid": refuse(code) } });
  await choose("Fern", "Edit");
  await screen.getByRole("button", { name: "Save recipe" }).click();
  await expect.element(screen.getByRole("dialog").getByText(sentence)).toBeVisible();
});

it("a recipe whose architecture is no longer supported can be renamed", async () => {
  const { screen, service, choose } = await open([
    { ...own(), arch: "x86", os_image: { ...own().os_image, arch: "x86" } },
  ]);
  await choose("Fern", "Edit");
  await screen.getByLabelText("Name").fill("Ivy");
  await screen.getByRole("button", { name: "Save recipe" }).click();
  await soon(() => expect(service.to("PUT", /recipes/)).toHaveLength(1));
});

it.each([
  ["unheard", false],
  ["and followed", true],
])("editing a recipe that was changed meanwhile, %s, overwrites nothing before one was told", async (_, isHeard) => {
  let recipe: Recipe = own();
  const edit = ({ body }: Call) => {
    if ((body as EditRecipe).revision !== recipe.revision) throw new AppError("RECIPE_CHANGED");
    return recipe;
  };
  const { screen, service, cache, choose } = await open([recipe], {
    answers: { "GET /v2/recipes/:uuid": () => recipe, "PUT /v2/recipes/:uuid": edit },
  });
  await choose("Fern", "Edit");
  await screen.getByLabelText("Name").fill("Ivy");
  recipe = { ...recipe, revision: 7, name: "Moss", description: "wet" };
  if (isHeard) await cache.invalidateQueries({ queryKey: ["recipes"] });
  await expect.element(screen.getByLabelText("Description")).toHaveValue(isHeard ? "wet" : "green");
  await screen.getByRole("button", { name: "Save recipe" }).click();
  await expect.element(screen.getByText(/^This recipe was changed meanwhile\./)).toBeVisible();
  await expect.element(screen.getByLabelText("Description")).toHaveValue("wet");
  await expect.element(screen.getByLabelText("Name")).toHaveValue("Ivy");
  await screen.getByRole("button", { name: "Save recipe" }).click();
  await soon(() => expect(messages()).toEqual(["Saved Moss"]));
  expect(service.to("PUT", /recipes/).map(({ body }) => body)).toMatchObject([
    { name: "Ivy", description: isHeard ? "wet" : "green", revision: 1 },
    { name: "Ivy", description: "wet", revision: 7 },
  ]);
});

describe("deleting a recipe", () => {
  it("asks first, and whether its parts go too", async () => {
    const { screen, service, choose } = await open([own()]);
    await choose("Fern", "Delete");
    await expect.element(screen.getByRole("button", { name: "Cancel" })).toHaveFocus();
    expect(nameless()).toEqual([]);
    await screen.getByLabelText("Also delete its OS image, My image").click();
    await screen.getByRole("button", { name: "Delete recipe and its part" }).click();
    await soon(() => expect(messages()).toEqual(["Deleted Fern"]));
    expect(service.to("DELETE", /recipes/)[0]?.body).toEqual({ delete_hardware_profile: false, delete_os_image: true });
    await expect.element(screen.getByRole("dialog")).not.toBeInTheDocument();
  });

  it.each<[string, Partial<Recipe["os_image"]>, string]>([
    ["official", { is_official: true }, "It is official and stays."],
    ["of another recipe", { recipe_count: 2 }, "Another recipe uses it, so it stays."],
    ["of several recipes", { recipe_count: 4 }, "3 other recipes use it, so it stays."],
    ["a colleague's", { owner: kim }, "It belongs to Kim Moss and stays."],
  ])("keeps a part that is %s", async (_, fields, why) => {
    const recipe = own();
    const { screen, service, choose } = await open([{ ...recipe, os_image: { ...recipe.os_image, ...fields } }], {
      me: user,
    });
    await choose("Fern", "Delete");
    const box = screen.getByLabelText("Also delete its OS image, My image");
    await expect.element(box).toBeDisabled();
    await expect.element(box).toHaveAccessibleDescription(why);
    await screen.getByRole("button", { name: "Delete recipe", exact: true }).click();
    await soon(() => expect(service.to("DELETE", /recipes/)).toHaveLength(1));
    expect(service.to("DELETE", /recipes/)[0]?.body).toMatchObject({ delete_os_image: false });
  });

  it("asks for no part that another recipe has begun to use since its box was ticked", async () => {
    const recipe = own();
    const { screen, service, cache, choose } = await open([recipe]);
    await choose("Fern", "Delete");
    await screen.getByLabelText("Also delete its OS image, My image").click();
    recipe.os_image.recipe_count = 2;
    await cache.invalidateQueries({ queryKey: ["recipes"] });
    await expect.element(screen.getByText("Another recipe uses it, so it stays.")).toBeVisible();
    await screen.getByRole("button", { name: /^Delete recipe/ }).click();
    await soon(() => expect(service.to("DELETE", /recipes/)[0]?.body).toMatchObject({ delete_os_image: false }));
  });

  it.each([
    ["INTERNAL_ERROR", "Fail to delete recipe."],
    ["RECIPE_MUST_NOT_BE_SAVING", "This recipe is being saved. Try again when it is ready."],
    ["RECIPE_NOT_ALLOWED", "You are not allowed to change this recipe."],
    ["OS_IMAGE_IN_USE", "Another recipe has begun to use it. Nothing was deleted."],
    ["HARDWARE_PROFILE_IN_USE", "Another recipe has begun to use it. Nothing was deleted."],
  ] as const)("says that it was refused with %s", async (code, sentence) => {
    const { screen, choose } = await open([own()], { answers: { "DELETE /v1/recipes/:uuid": refuse(code) } });
    await choose("Fern", "Delete");
    await screen.getByRole("button", { name: "Delete recipe", exact: true }).click();
    await expect.element(screen.getByRole("dialog").getByText(sentence)).toBeVisible();
  });

  it("that is gone already is what was wanted", async () => {
    const { screen, choose } = await open([own()], {
      answers: { "DELETE /v1/recipes/:uuid": refuse("RECIPE_NOT_FOUND") },
    });
    await choose("Fern", "Delete");
    await screen.getByRole("button", { name: "Delete recipe", exact: true }).click();
    await soon(() => expect(messages()).toEqual(["Deleted Fern"]));
  });
});

describe("rolling back", () => {
  const saved = () => own({ can_roll_back: true });
  it("asks first", async () => {
    const { screen, service, choose } = await open([saved()]);
    await choose("Fern", "Roll back");
    await screen.getByRole("button", { name: "Roll back recipe" }).click();
    await soon(() => expect(messages()).toEqual(["Fern is as it was before its last save"]));
    expect(service.to("PUT", /rollback/)).toHaveLength(1);
  });

  it.each([
    ["INTERNAL_ERROR", "Fail to restore the OS image of the recipe."],
    ["RECIPE_MUST_NOT_BE_SAVING", "This recipe is being saved. Try again when it is ready."],
  ] as const)("that is refused with %s says so", async (code, sentence) => {
    const { screen, choose } = await open([saved()], { answers: { "PUT /v1/recipes/:uuid/rollback": refuse(code) } });
    await choose("Fern", "Roll back");
    await screen.getByRole("button", { name: "Roll back recipe" }).click();
    await soon(() => expect(messages()).toEqual([sentence]));
  });
});

it("shows cards on a phone", async () => {
  await browserPage.viewport(390, 844);
  const name = "A name that somebody let grow as long as it may be. ".repeat(4).trim();
  const { card } = await open([own({ name })]);
  await expect.element(card(name)).toBeVisible();
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
  const title = card(name).getByRole("button", { name, exact: true }).element();
  expect(pressedAround(title)).toEqual([title, title]);
});
