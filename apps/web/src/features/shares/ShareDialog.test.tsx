import { AppError, type Recipe, type Share, type User } from "@terrarium/contract";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { announce } from "../../components/announce.ts";
import { closeSnack, readSnacks } from "../../components/snack-queue.ts";
import { anId, aRecipe, aUser, manager, organizationId } from "../../testing/factories.ts";
import { aPage, type Call, fakeService, refuse } from "../../testing/fake-service.ts";
import { InTestApp } from "../../testing/InTestApp.tsx";
import { nameless } from "../../testing/names.ts";
import { soon } from "../../testing/soon.ts";
import { ShareDialog } from "./ShareDialog.tsx";

const person = (first_name: string): User =>
  aUser({ uuid: anId(), email: `${first_name.toLowerCase()}@demo.test`, first_name, last_name: "" });
const [kim, lee] = [person("Kim"), person("Lee")];
/** A guest's name is not told. */
const guest = { ...person(""), email: "guest@demo.test", organization: null };
const shareId = anId();
const aShare = (fields: Partial<Share> = {}): Share => ({
  uuid: shareId,
  recipe_uuid: anId(),
  recipients: { users: [kim] },
  organizations: [],
  message: "Have a look",
  shared_by: manager,
  created_at: manager.created_at,
  updated_at: manager.created_at,
  ...fields,
});
const recipe: Recipe = aRecipe({ name: "Fern", is_official: false, source: "CUSTOM", right: "owner", owner: manager });
const shared: Recipe = {
  ...recipe,
  share: { uuid: shareId, shared_by: manager, message: "", created_at: manager.created_at },
};

beforeEach(() => {
  for (const { id } of readSnacks()) closeSnack(id);
});

/** The dialog over a service that knows Kim, Lee and a guest; it refuses what `answers` says. */
async function open(of: Recipe, answers: Parameters<typeof fakeService>[0] = {}) {
  const onClose = vi.fn();
  const known = ({ query }: Call) => {
    const asked = query.getAll("users").flatMap((users) => users.split(","));
    const search = query.get("search");
    const isMeant = ({ email }: User) => (search ? email.includes(search) : asked.includes(email));
    return aPage([kim, lee, guest].filter(isMeant));
  };
  announce("");
  const service = fakeService({
    "GET /v2/users": known,
    "GET /v1/shares/:uuid": () => aShare(),
    "POST /v1/recipes/:uuid/share": () => aShare(),
    "PUT /v1/shares/:uuid": () => aShare(),
    "DELETE /v1/shares/:uuid": () => null,
    ...answers,
  });
  const screen = await render(
    <InTestApp>
      <ShareDialog recipe={of} me={manager} onClose={onClose} />
    </InTestApp>,
  );
  const emails = screen.getByRole("combobox", { name: "Email addresses" });
  await expect.element(emails).toHaveFocus();
  const press = (name: string) => screen.getByRole("button", { name, exact: true }).click();
  const paste = (text: string) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text", text);
    emails.element().dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  };
  const type = (text: string) => userEvent.keyboard(`${text},`);
  return {
    screen,
    service,
    emails,
    press,
    paste,
    type,
    onClose,
    sent: (method: string) => service.to(method, /share/),
  };
}

const messages = () => readSnacks().map(({ message }) => message);

describe("sharing a recipe", () => {
  it("looks the addresses up, sends whom they belong to, and says so", async () => {
    const { screen, service, press, paste, sent, onClose } = await open(recipe);
    paste("kim@demo.test, guest@demo.test");
    await screen.getByLabelText("Message").fill("Have a look");
    expect(nameless()).toEqual([]);
    // Although the dialog hides what is beside it.
    await expect.element(screen.getByText("Added 2 addresses")).not.toHaveAttribute("aria-hidden");
    await press("Share recipe");
    await soon(() => expect(messages()).toEqual(["Shared Fern"]));
    expect(onClose).toHaveBeenCalled();
    const lookUp = service.to("GET", /users/).find(({ query }) => query.has("users"));
    expect(lookUp?.query.get("field")).toBe("email");
    expect(sent("POST").map(({ path, body }) => [path, body])).toEqual([
      [
        `/v1/recipes/${recipe.uuid}/share`,
        { recipients: { users: [kim.uuid, guest.uuid] }, organizations: [], message: "Have a look" },
      ],
    ]);
  });

  it("asks for somebody to share it with", async () => {
    const { screen, emails, press, service } = await open(recipe);
    await press("Share recipe");
    await expect.element(screen.getByText("Add somebody to share it with.")).toBeVisible();
    await expect.element(emails).toHaveFocus();
    expect(service.calls).toEqual([]);
  });

  it.each([
    ["a malformed address", "abc", "Some emails are invalid."],
    ["too many", Array.from({ length: 51 }, (_, at) => `p${at}@demo.test`).join(","), "Too many emails. Limit is 50."],
  ])("refuses %s", async (_, text, says) => {
    const { screen, emails, press, paste, service } = await open(recipe);
    paste(`${text},`);
    await press("Share recipe");
    await expect.element(screen.getByText(says, { exact: true })).toBeVisible();
    await expect.element(emails).toBeInvalid();
    expect(service.calls).toEqual([]);
  });

  it("refuses a message that is too long", async () => {
    const { screen, press, type, service } = await open(recipe);
    await type("kim@demo.test");
    await screen.getByLabelText("Message").fill("x".repeat(1001));
    await press("Share recipe");
    await expect.element(screen.getByText("Use up to 1000 characters")).toBeVisible();
    await expect.element(screen.getByText("1001 / 1000")).toBeVisible();
    expect(service.calls).toEqual([]);
  });

  it("names the addresses that nobody has, shares with nobody, and goes on without them", async () => {
    const { screen, press, type, sent } = await open(recipe);
    await type("kim@demo.test,who@demo.test,Nobody@demo.test");
    await press("Share recipe");
    await expect
      .element(screen.getByText("Some emails weren't found in the organization.", { exact: true }))
      .toBeVisible();
    await expect.element(screen.getByText("who@demo.test, Nobody@demo.test", { exact: true })).toBeVisible();
    await expect.element(screen.getByRole("button", { name: "Remove who@demo.test, which is wrong" })).toBeVisible();
    expect(sent("POST")).toEqual([]);
    await press("Remove them");
    await press("Share recipe");
    await soon(() => expect(messages()).toEqual(["Shared Fern"]));
    expect(sent("POST")[0]?.body).toMatchObject({ recipients: { users: [kim.uuid] } });
  });

  it("names those whom the service itself does not find", async () => {
    const { screen, press, type } = await open(recipe, {
      "POST /v1/recipes/:uuid/share": () =>
        Response.json(
          { code: "RECIPIENTS_NOT_FOUND", message: "", details: { unknown: "kim@demo.test" } },
          { status: 404 },
        ),
    });
    await type("kim@demo.test");
    await press("Share recipe");
    await expect.element(screen.getByText("Some emails weren't found in the organization.")).toBeVisible();
    await expect.element(screen.getByRole("button", { name: "Remove kim@demo.test, which is wrong" })).toBeVisible();
  });

  it.each([
    ["INTERNAL_ERROR", "Fail to share recipe."],
    ["RECIPE_SHARE_NOT_ALLOWED", "You are not allowed to share this recipe."],
    ["RECIPE_NOT_FOUND", "Recipe not found."],
    ["TOO_MANY_RECIPIENTS", "Too many emails. Limit is 50."],
    ["TOO_MANY_REQUESTS", "You shared a lot in a short time. Wait a minute, then try again."],
  ] as const)("says that it was refused with %s, and keeps what was typed", async (code, says) => {
    const { screen, press, type, onClose } = await open(recipe, { "POST /v1/recipes/:uuid/share": refuse(code) });
    await type("kim@demo.test");
    await press("Share recipe");
    await expect.element(screen.getByText(says)).toBeVisible();
    await expect.element(screen.getByRole("button", { name: "Remove kim@demo.test" })).toBeVisible();
    expect(onClose).not.toHaveBeenCalled();
  });

  it("offers colleagues while an address is typed", async () => {
    const { screen } = await open(recipe);
    await userEvent.keyboard("kim");
    await screen.getByRole("option", { name: /kim@demo\.test/ }).click();
    await expect.element(screen.getByRole("button", { name: "Remove kim@demo.test" })).toBeVisible();
  });

  it("does not offer for one text who was found for another", async () => {
    const { screen, emails } = await open(recipe);
    await emails.fill("kim");
    await expect.element(screen.getByRole("option", { name: /kim@demo\.test/ })).toBeVisible();
    await emails.fill("zo");
    await expect.element(screen.getByRole("option")).not.toBeInTheDocument();
  });

  it("says what each may do then", async () => {
    const { screen } = await open(recipe);
    await expect.element(screen.getByText("Guests may start it; colleagues may also edit and share it.")).toBeVisible();
    await expect
      .element(screen.getByText("Everyone in Northwind Mobile may already start and duplicate it."))
      .toBeVisible();
  });
});

describe("another organization", () => {
  const acme = anId();
  const askFor = async (of: Recipe, answers: Parameters<typeof open>[1] = {}) => {
    const opened = await open(of, answers);
    await opened.press("Share with another organization");
    const field = opened.screen.getByLabelText("Organization ID");
    await expect.element(field).toHaveFocus();
    return { ...opened, field };
  };

  it("is named by its ID, and needs nobody besides", async () => {
    const { screen, field, press, sent } = await askFor(recipe);
    await expect.element(field).toHaveAccessibleDescription(new RegExp(`yours is ${organizationId}`));
    expect(nameless()).toEqual([]);
    await field.fill(` ${acme.toUpperCase()} `);
    await press("Share recipe");
    await soon(() => expect(messages()).toEqual(["Shared Fern"]));
    expect(sent("POST")[0]?.body).toMatchObject({ recipients: { users: [] }, organizations: [acme.toUpperCase()] });
    expect(screen.getByRole("dialog").elements()).toHaveLength(1);
  });

  it("joins those that have it", async () => {
    const { field, press, sent } = await askFor(shared, {
      "GET /v1/shares/:uuid": () => aShare({ organizations: [{ uuid: organizationId, name: "Acme" }] }),
    });
    await field.fill(acme);
    await press("Save changes");
    await soon(() => expect(messages()).toEqual(["Shared Fern"]));
    expect(sent("PUT")[0]?.body).toMatchObject({ organizations: [organizationId, acme] });
  });

  it("is enough when nobody else is left", async () => {
    const organizations = [{ uuid: organizationId, name: "Acme" }];
    const { press, sent } = await open(shared, { "GET /v1/shares/:uuid": () => aShare({ organizations }) });
    await press("Stop sharing with Kim");
    await press("Save changes");
    await soon(() => expect(messages()).toEqual(["Changed with whom Fern is shared"]));
    expect(sent("PUT")[0]?.body).toMatchObject({ recipients: { users: [] }, organizations: [organizationId] });
  });

  it("is not asked for by a name", async () => {
    const { screen, field, press, service } = await askFor(recipe);
    await field.fill("Acme");
    await press("Share recipe");
    await expect.element(screen.getByText("This is not the ID of an organization.")).toBeVisible();
    await expect.element(field).toHaveFocus();
    expect(service.calls).toEqual([]);
  });

  it("that is not known is said at its field", async () => {
    const { field, press } = await askFor(recipe, {
      "POST /v1/recipes/:uuid/share": refuse("ORGANIZATION_NOT_FOUND"),
    });
    await field.fill(acme);
    await press("Share recipe");
    await expect.element(field).toHaveAccessibleDescription("No organization has this ID.");
    await expect.element(field).toHaveFocus();
  });

  it("is not offered when as many have it as may", async () => {
    const organizations = Array.from({ length: 20 }, (_, at) => ({ uuid: anId(), name: `O${at}` }));
    const { screen } = await open(shared, { "GET /v1/shares/:uuid": () => aShare({ organizations }) });
    await expect.element(screen.getByRole("listitem").filter({ hasText: "O19" })).toBeInTheDocument();
    expect(screen.getByRole("button", { name: "Share with another organization" }).query()).toBeNull();
  });
});

describe("a recipe that is shared already", () => {
  const list = { recipients: { users: [kim, lee] }, organizations: [{ uuid: organizationId, name: "Acme" }] };
  const withList = { "GET /v1/shares/:uuid": () => aShare(list) };

  it("is shared with more people by changing its share", async () => {
    const { screen, press, type, sent } = await open(shared, withList);
    for (const name of ["Kim", "Lee", "Everyone in Acme"])
      await expect.element(screen.getByRole("listitem").filter({ hasText: name })).toBeVisible();
    await expect.element(screen.getByLabelText("Message")).toHaveValue("Have a look");
    await type("guest@demo.test");
    await press("Save changes");
    await soon(() => expect(messages()).toEqual(["Shared Fern"]));
    expect(sent("POST")).toEqual([]);
    expect(sent("PUT").map(({ path, body }) => [path, body])).toEqual([
      [
        `/v1/shares/${shareId}`,
        {
          recipients: { users: [kim.uuid, lee.uuid, guest.uuid] },
          organizations: [organizationId],
          message: "Have a look",
        },
      ],
    ]);
  });

  it("is no longer shared with those who are taken off", async () => {
    const { press, sent } = await open(shared, withList);
    await press("Stop sharing with Kim");
    await press("Stop sharing with Everyone in Acme");
    await press("Save changes");
    await soon(() => expect(messages()).toEqual(["Changed with whom Fern is shared"]));
    expect(sent("PUT")[0]?.body).toMatchObject({ recipients: { users: [lee.uuid] }, organizations: [] });
  });

  it("keeps the focus in the list when somebody is taken off, and says who", async () => {
    const { screen, emails, press } = await open(shared, withList);
    const people = screen.getByRole("list", { name: "Shared with" });
    await press("Stop sharing with Kim");
    await expect.element(people).toHaveFocus();
    await expect.element(screen.getByText("Kim was taken off the list")).not.toHaveAttribute("aria-hidden");
    await press("Stop sharing with Lee");
    await expect.element(people).toHaveFocus();
    await press("Stop sharing with Everyone in Acme");
    await expect.element(people).not.toBeInTheDocument();
    await expect.element(emails).toHaveFocus();
  });

  it("says while a change is on its way that it is saved", async () => {
    const answer = Promise.withResolvers<unknown>();
    const { screen, press, onClose } = await open(shared, {
      ...withList,
      "PUT /v1/shares/:uuid": () => answer.promise,
    });
    await press("Stop sharing with Kim");
    await press("Save changes");
    await expect.element(screen.getByText("Saving…")).toBeVisible();
    answer.resolve(aShare());
    await soon(() => expect(onClose).toHaveBeenCalled());
  });

  it("must be shared with somebody: ending is asked for in another place", async () => {
    const { screen, press, sent } = await open(shared);
    await press("Stop sharing with Kim");
    await press("Save changes");
    await expect.element(screen.getByText("Add somebody to share it with.")).toBeVisible();
    expect(sent("PUT")).toEqual([]);
  });

  it("counts those who have it towards the limit", async () => {
    const users = Array.from({ length: 50 }, (_, at) => person(`P${at}`));
    const { screen, press, type, sent } = await open(shared, {
      "GET /v1/shares/:uuid": () => aShare({ recipients: { users } }),
    });
    await type("kim@demo.test");
    await press("Save changes");
    await expect.element(screen.getByText("Too many emails. Limit is 50.")).toBeVisible();
    expect(sent("PUT")).toEqual([]);
    await press("Stop sharing with P0");
    await expect.element(screen.getByText("Too many emails. Limit is 50.")).not.toBeInTheDocument();
  });

  it("is no longer shared at all once that is confirmed", async () => {
    const { screen, press, sent, onClose } = await open(shared);
    await press("Stop sharing");
    const sure = screen.getByRole("dialog", { name: "Stop sharing “Fern”?" });
    await expect.element(sure.getByRole("button", { name: "Cancel" })).toHaveFocus();
    await sure.getByRole("button", { name: "Cancel" }).click();
    expect(sent("DELETE")).toEqual([]);
    await press("Stop sharing");
    await sure.getByRole("button", { name: "Stop sharing" }).click();
    await soon(() => expect(messages()).toEqual(["Fern is no longer shared"]));
    expect(sent("DELETE").map(({ path }) => path)).toEqual([`/v1/shares/${shareId}`]);
    expect(onClose).toHaveBeenCalled();
  });

  it.each([
    ["SHARE_NOT_FOUND", "Fern is no longer shared"],
    ["INTERNAL_ERROR", "Fail to stop sharing the recipe."],
  ] as const)("that ends with %s says so", async (code, says) => {
    const { screen, press } = await open(shared, { "DELETE /v1/shares/:uuid": refuse(code) });
    await press("Stop sharing");
    await screen.getByRole("dialog").last().getByRole("button", { name: "Stop sharing" }).click();
    await soon(() => expect(messages()).toEqual([says]));
  });

  it("says in place that the share has ended meanwhile", async () => {
    const { screen, press, type } = await open(shared, { "PUT /v1/shares/:uuid": refuse("SHARE_NOT_FOUND") });
    await type("lee@demo.test");
    await press("Save changes");
    await expect.element(screen.getByText("No share found.")).toBeVisible();
  });
});

it.each([
  ["SHARE_NOT_FOUND", "No share found."],
  ["INTERNAL_ERROR", "Fail to share recipe."],
] as const)("closes with a word when the share cannot be fetched: %s", async (code, says) => {
  fakeService({
    "GET /v1/shares/:uuid": () => {
      throw new AppError(code);
    },
  });
  const onClose = vi.fn();
  await render(<ShareDialog recipe={shared} me={manager} onClose={onClose} />, { wrapper: InTestApp });
  await soon(() => expect(onClose).toHaveBeenCalled());
  expect(messages()).toEqual([says]);
});
