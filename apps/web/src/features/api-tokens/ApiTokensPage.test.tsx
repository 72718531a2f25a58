import { type ApiToken, limits } from "@terrarium/contract";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { page as browserPage, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { closeSnack, readSnacks } from "../../components/snack-queue.ts";
import { Snacks } from "../../components/Snacks.tsx";
import { anId } from "../../testing/factories.ts";
import { fakeService, refuse } from "../../testing/fake-service.ts";
import { InTestApp } from "../../testing/InTestApp.tsx";
import { nameless } from "../../testing/names.ts";
import ApiTokensPage from "./ApiTokensPage.tsx";

const aToken = (description: string, fields: Partial<ApiToken> = {}): ApiToken => ({
  uuid: anId(),
  description,
  created_at: "2026-03-02T09:00:00.000Z",
  prefix: "tt_abcd",
  scope: "devices",
  expires_at: null,
  last_access: null,
  ...fields,
});
const secret = `tt_${"s".repeat(43)}`;

beforeEach(async () => {
  for (const { id } of readSnacks()) closeSnack(id);
  await browserPage.viewport(1440, 900);
});

/** The page over a service that keeps `tokens`; it refuses what `answers` says. */
async function open(tokens: ApiToken[], answers: Parameters<typeof fakeService>[0] = {}, address = "/api") {
  const service = fakeService({
    "GET /v1/api-tokens": () => ({ api_tokens: tokens }),
    "POST /v1/api-tokens": ({ body }) => {
      const created = aToken((body as { description: string }).description);
      tokens.unshift(created);
      return { ...created, token: secret };
    },
    "DELETE /v1/api-tokens/:uuid": ({ path }) => {
      tokens.splice(0, tokens.length, ...tokens.filter(({ uuid }) => !path.endsWith(uuid)));
      return null;
    },
    ...answers,
  });
  const screen = await render(
    <InTestApp address={address}>
      <ApiTokensPage />
      <Snacks />
    </InTestApp>,
  );
  const create = async (description: string) => {
    await screen.getByRole("button", { name: "Create token" }).click();
    await screen.getByLabelText("Description").fill(description);
    await userEvent.keyboard("{Enter}");
  };
  const revoke = async (description: string) => {
    await screen.getByRole("button", { name: `Revoke ${description}` }).click();
    await screen.getByRole("button", { name: "Revoke token" }).click();
  };
  /** The first cell of each row, from above. */
  const shown = () =>
    screen
      .getByRole("row")
      .elements()
      .slice(1)
      .map((row) => row.firstElementChild?.textContent);
  return { screen, service, create, revoke, shown };
}

it("says on a phone all that is known of a token, beside its button", async () => {
  await browserPage.viewport(390, 844);
  const last_access = new Date(Date.now() - 3 * 60_000).toISOString();
  const { screen } = await open([aToken("CI", { expires_at: "2099-12-31T12:00:00.000Z", last_access })]);
  const last = screen.getByRole("listitem").getByText("3 minutes ago");
  await expect.element(last).toBeVisible();
  const box = (element: Element) => element.getBoundingClientRect();
  const card = box(screen.getByRole("listitem").element());
  const button = box(screen.getByRole("button", { name: "Revoke" }).element());
  expect(button.right).toBeLessThanOrEqual(card.right);
  for (const text of ["Use devices", "Expires: December 31, 2099", "3 minutes ago"]) {
    const fact = screen.getByRole("listitem").getByText(text).element();
    // In lines of words, none of which is cut off.
    expect(box(fact).width).toBeGreaterThan(60);
    expect(box(fact).right).toBeLessThanOrEqual(button.left);
    expect(fact.scrollHeight).toBeLessThanOrEqual(fact.clientHeight || fact.scrollHeight);
  }
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
});

describe("the tokens", () => {
  it("are shown with when they were made and used, the newest first", async () => {
    const { screen, shown } = await open([
      aToken("older", { last_access: "2026-03-03T09:00:00.000Z" }),
      aToken("newer", { created_at: "2026-03-05T09:00:00.000Z" }),
    ]);
    await expect.element(screen.getByRole("row", { name: /newer.*Not available/ })).toBeVisible();
    expect(shown()).toEqual(["newer", "older"]);
    const times = screen.getByRole("row", { name: /older/ }).element().querySelectorAll("time");
    expect(Array.from(times, (time) => time.dateTime)).toEqual([
      "2026-03-02T09:00:00.000Z",
      "2026-03-03T09:00:00.000Z",
    ]);
    expect(nameless()).toEqual([]);
  });

  it("say what they may do, and until when", async () => {
    const { screen } = await open([
      aToken("reader", { scope: "read", expires_at: "2126-03-02T09:00:00.000Z" }),
      aToken("old", { scope: "admin", expires_at: "2026-03-02T09:00:00.000Z" }),
      aToken("ci"),
    ]);
    await expect.element(screen.getByRole("row", { name: /reader.*tt_abcd….*Read.*March 2, 2126/ })).toBeVisible();
    await expect.element(screen.getByRole("row", { name: /old.*Administer.*Expired/ })).toBeVisible();
    await expect.element(screen.getByRole("row", { name: /ci.*Use devices.*Never/ })).toBeVisible();
  });

  it("are sorted and searched as the address says", async () => {
    const { screen, shown } = await open(
      [aToken("ci 10"), aToken("ci 9"), aToken("laptop")],
      {},
      "/api?ordering=description&search=ci",
    );
    await expect.element(screen.getByRole("row", { name: /ci 9/ })).toBeVisible();
    expect(shown()).toEqual(["ci 9", "ci 10"]);
    await screen.getByLabelText("Filter by description").fill("zz");
    await expect.element(screen.getByText("No tokens match “zz”")).toBeVisible();
  });

  it("are said to be none", async () => {
    const { screen } = await open([]);
    await expect.element(screen.getByText("You have no API tokens")).toBeVisible();
  });

  it("can be asked for again when they did not load", async () => {
    const { screen } = await open([], { "GET /v1/api-tokens": refuse("INTERNAL_ERROR") });
    await expect.element(screen.getByText("Fail to fetch API tokens.")).toBeVisible();
    await expect.element(screen.getByRole("button", { name: "Try again" })).toBeVisible();
  });

  it("are cards on a phone", async () => {
    await browserPage.viewport(390, 844);
    const { screen } = await open([aToken("ci")]);
    const card = screen.getByRole("list", { name: "API tokens" }).getByRole("listitem");
    await expect.element(card.getByText("Last used: Not available")).toBeVisible();
    await card.getByRole("button", { name: "Revoke" }).click();
    await expect.element(screen.getByRole("dialog", { name: "Revoke “ci”?" })).toBeVisible();
  });
});

describe("creating a token", () => {
  it("shows its secret once, with a way to copy it, and then the token among the others", async () => {
    const { screen, service, create } = await open([]);
    await create("  ci ");
    const dialog = screen.getByRole("dialog", { name: "Copy your token now" });
    await expect.element(dialog.getByLabelText("Token “ci”")).toHaveValue(secret);
    expect(service.to("POST", /api-tokens/)[0]?.body).toMatchObject({ description: "ci", scope: "devices" });
    expect(nameless()).toEqual([]);
    await expect.element(dialog.getByRole("button", { name: "Copy token" })).toHaveFocus();
    await userEvent.keyboard("{Escape}{Enter}");
    await expect.element(dialog.getByRole("button", { name: "Copied" })).toBeVisible();
    await dialog.getByRole("button", { name: "Done" }).click();
    await expect.element(screen.getByRole("row", { name: /ci/ })).toBeVisible();
    await vi.waitFor(() => expect(document.body.innerHTML).not.toContain(secret));
  });

  it("asks what it may do, which is explained, and until when", async () => {
    const { screen, service } = await open([]);
    await screen.getByRole("button", { name: "Create token" }).click();
    await screen.getByLabelText("Description").fill("ci");
    await screen.getByRole("button", { name: "Read" }).click();
    await expect.element(screen.getByText(/Change nothing/)).toBeVisible();
    await screen.getByRole("combobox", { name: "Expires" }).click();
    await screen.getByRole("option", { name: "In 30 days" }).click();
    await screen.getByRole("dialog").getByRole("button", { name: "Create token" }).click();
    await expect.element(screen.getByRole("dialog", { name: "Copy your token now" })).toBeVisible();
    const sent = service.to("POST", /api-tokens/)[0]?.body as ApiToken | undefined;
    const days = (new Date(sent?.expires_at ?? 0).getTime() - Date.now()) / (24 * 60 * 60 * 1000);
    expect([sent?.scope, Math.round(days)]).toEqual(["read", 30]);
  });

  it("can be for good", async () => {
    const { screen, service } = await open([]);
    await screen.getByRole("button", { name: "Create token" }).click();
    await screen.getByLabelText("Description").fill("ci");
    await screen.getByRole("combobox", { name: "Expires" }).click();
    await screen.getByRole("option", { name: "Never" }).click();
    await screen.getByRole("dialog").getByRole("button", { name: "Create token" }).click();
    await vi.waitFor(() => expect(service.to("POST", /api-tokens/)[0]?.body).toMatchObject({ expires_at: null }));
  });

  it.each([
    ["", "Required"],
    [" ", "Required"],
    ["x".repeat(251), "Use up to 250 characters"],
  ])("is not asked for as %j", async (description, sentence) => {
    const { screen, service, create } = await open([]);
    await create(description);
    await expect.element(screen.getByText(sentence)).toBeVisible();
    expect(service.to("POST", /api-tokens/)).toEqual([]);
  });

  it.each([
    ["API_TOKEN_EXISTS", "An API Token with this description already exists.", true],
    ["TOO_MANY_API_TOKENS", "You have 25 API tokens, which is the most one account can have. Revoke one first.", false],
    ["INTERNAL_ERROR", "Fail to create API token.", false],
  ] as const)("says what was refused where it belongs: %s", async (code, sentence, isOfField) => {
    const { screen, create } = await open([aToken("ci")], { "POST /v1/api-tokens": refuse(code) });
    await create("ci");
    await expect.element(screen.getByRole("dialog").getByText(sentence)).toBeVisible();
    const field = screen.getByLabelText("Description").element();
    expect(field.getAttribute("aria-invalid")).toBe(String(isOfField));
    expect(readSnacks()).toEqual([]);
    await expect.element(screen.getByLabelText("Description")).toHaveValue("ci");
  });

  it("is not offered to who has as many as one account can have", async () => {
    const { screen, service } = await open(
      Array.from({ length: limits.apiTokens }, (_, index) => aToken(`ci ${index}`)),
    );
    await expect.element(screen.getByRole("row", { name: /ci 24/ })).toBeVisible();
    await screen.getByRole("button", { name: "Create token" }).click();
    await expect.element(screen.getByRole("dialog", { name: "You have 25 API tokens" })).toBeVisible();
    expect(screen.getByLabelText("Description").elements()).toEqual([]);
    await screen.getByRole("button", { name: "Back to the tokens" }).click();
    expect(service.to("POST", /api-tokens/)).toEqual([]);
  });
});

describe("revoking a token", () => {
  it("asks first, and takes it off the list", async () => {
    const tokens = [aToken("ci"), aToken("laptop")];
    const { screen, service, revoke } = await open(tokens);
    await screen.getByRole("button", { name: "Revoke ci" }).click();
    await expect.element(screen.getByRole("button", { name: "Cancel" })).toHaveFocus();
    await userEvent.keyboard("{Escape}");
    expect(service.to("DELETE", /api-tokens/)).toEqual([]);
    await expect.element(screen.getByRole("dialog")).not.toBeInTheDocument();
    await revoke("ci");
    await expect.element(screen.getByRole("row", { name: /ci/ })).not.toBeInTheDocument();
    await expect.element(screen.getByRole("row", { name: /laptop/ })).toBeVisible();
  });

  it.each([
    ["INTERNAL_ERROR", ["Fail to revoke API token."]],
    ["API_TOKEN_NOT_FOUND", []],
  ] as const)("that is refused with %s", async (code, said) => {
    const { service, revoke } = await open([aToken("ci")], { "DELETE /v1/api-tokens/:uuid": refuse(code) });
    await revoke("ci");
    await vi.waitFor(() => expect(service.to("GET", /api-tokens/).length).toBe(2));
    expect(readSnacks().map(({ message }) => message)).toEqual(said);
  });
});
