import { limits, type Webhook, type WebhookDelivery } from "@terrarium/contract";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { page as browserPage, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { createMemoryRouter, Route, RouterProvider, Routes } from "react-router";
import { closeSnack, readSnacks } from "../../components/snack-queue.ts";
import { Snacks } from "../../components/Snacks.tsx";
import { anId } from "../../testing/factories.ts";
import { aPage, fakeService, refuse } from "../../testing/fake-service.ts";
import { InTestApp } from "../../testing/InTestApp.tsx";
import { nameless } from "../../testing/names.ts";
import WebhookPage from "./WebhookPage.tsx";
import WebhooksPage from "./WebhooksPage.tsx";

const aWebhook = (fields: Partial<Webhook> = {}): Webhook => ({
  uuid: anId(),
  url: "https://ci.example.com/hook",
  description: "",
  events: ["instance.started", "recipe.deleted"],
  health: "healthy",
  disabled_reason: null,
  failing_since: null,
  former_secret_until: null,
  waiting: 0,
  failed: 0,
  created_at: "2026-03-02T09:00:00.000Z",
  ...fields,
});
const aDelivery = (fields: Partial<WebhookDelivery> = {}): WebhookDelivery => ({
  uuid: anId(),
  type: "instance.started",
  at: "2026-03-02T09:00:00.000Z",
  state: "delivered",
  attempts: 1,
  status: 204,
  error: null,
  next_at: null,
  ...fields,
});
const secret = `whsec_${"s".repeat(43)}=`;

beforeEach(async () => {
  for (const { id } of readSnacks()) closeSnack(id);
  await browserPage.viewport(1440, 900);
});

/** The pages over a service that keeps `webhooks`, and a log for each. */
async function open(
  webhooks: Webhook[],
  {
    answers = {},
    deliveries = [],
    address = "/administration/webhooks",
  }: {
    answers?: Parameters<typeof fakeService>[0];
    deliveries?: WebhookDelivery[];
    address?: string;
  } = {},
) {
  const change = (path: string, fields: Partial<Webhook>): Webhook => {
    const index = webhooks.findIndex(({ uuid }) => path.includes(uuid));
    return (webhooks[index] = { ...webhooks[index]!, ...fields });
  };
  const service = fakeService({
    "GET /v1/webhooks": () => ({ webhooks }),
    "POST /v1/webhooks": ({ body }) => {
      const created = aWebhook(body as Partial<Webhook>);
      webhooks.push(created);
      return { ...created, secret };
    },
    "PATCH /v1/webhooks/:uuid": ({ path, body }) => change(path, body as Partial<Webhook>),
    "DELETE /v1/webhooks/:uuid": ({ path }) => {
      webhooks.splice(0, webhooks.length, ...webhooks.filter(({ uuid }) => !path.endsWith(uuid)));
      return null;
    },
    "POST /v1/webhooks/:uuid/rotate-secret": ({ path }) => ({ ...change(path, {}), secret }),
    "POST /v1/webhooks/:uuid/test": () => ({ uuid: anId() }),
    "GET /v1/webhooks/:uuid/deliveries": () => aPage(deliveries),
    "GET /v1/webhooks/:uuid/deliveries/:uuid": ({ path }) => ({
      ...deliveries.find(({ uuid }) => path.endsWith(uuid)),
      payload: '{"type":"instance.started","data":{"name":"pixel-7"}}',
      log: [{ at: "2026-03-02T09:00:00.000Z", duration_ms: 12, status: 500, error: null, answer: "out of soil" }],
    }),
    "POST /v1/webhooks/:uuid/deliveries/:uuid/replay": () => null,
    "POST /v1/webhooks/:uuid/replay-failed": () => ({ replayed: 3 }),
    ...answers,
  });
  const screen = await render(
    <InTestApp address={address}>
      <Routes>
        <Route path="/administration/webhooks" element={<WebhooksPage />} />
        <Route path="/administration/webhooks/:uuid" element={<WebhookPage />} />
      </Routes>
      <Snacks />
    </InTestApp>,
  );
  const act = async (name: string, word: string) => {
    await screen.getByRole("button", { name: `${word} ${name}` }).click();
  };
  return { screen, service, act };
}

describe("the webhooks", () => {
  it("are shown with their health and what waits or has failed", async () => {
    const { screen } = await open([
      aWebhook({ description: "CI" }),
      aWebhook({ url: "https://chat.example.com/", health: "failing", waiting: 3, failed: 2 }),
    ]);
    await expect.element(screen.getByRole("row", { name: /CI.*Healthy.*2 events/ })).toBeVisible();
    await expect.element(screen.getByRole("row", { name: /chat\.example\.com.*Failing.*3.*2/ })).toBeVisible();
    expect(nameless()).toEqual([]);
  });

  it("are said to be none, or not to have loaded", async () => {
    await expect.element((await open([])).screen.getByText("Nothing is told what happens here")).toBeVisible();
    const failed = await open([], { answers: { "GET /v1/webhooks": refuse("INTERNAL_ERROR") } });
    await expect.element(failed.screen.getByText("The webhooks did not load.")).toBeVisible();
  });

  it("are cards on a phone, whose long addresses push nothing aside", async () => {
    await browserPage.viewport(390, 844);
    const { screen } = await open([aWebhook({ url: `https://ci.example.com/${"x".repeat(300)}`, health: "disabled" })]);
    await expect.element(screen.getByText("Disabled")).toBeVisible();
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
  });
});

describe("adding a webhook", () => {
  it("asks where and of what, and shows the secret once", async () => {
    const { screen, service } = await open([]);
    await screen.getByRole("button", { name: "Add webhook" }).click();
    const dialog = screen.getByRole("dialog", { name: "Add a webhook" });
    await dialog.getByLabelText("Address").fill(" https://ci.example.com/hook ");
    await dialog.getByRole("group", { name: "Recipes" }).getByLabelText("Deleted").click();
    await dialog.getByLabelText("Online").click();
    expect(nameless()).toEqual([]);
    await dialog.getByRole("button", { name: "Add webhook" }).click();
    await expect.element(screen.getByLabelText("Secret of ci.example.com/hook")).toHaveValue(secret);
    expect(service.to("POST", /webhooks/)[0]?.body).toEqual({
      url: "https://ci.example.com/hook",
      description: "",
      events: ["instance.started", "recipe.deleted"],
    });
    await screen.getByRole("button", { name: "Done" }).click();
    await expect.element(screen.getByRole("row", { name: /ci\.example\.com/ })).toBeVisible();
    await vi.waitFor(() => expect(document.body.innerHTML).not.toContain(secret));
  });

  it.each([
    ["", "Required"],
    ["ci.example.com", "Use a web address without a password, such as https://ci.example.com/hook"],
    ["https://user:word@ci.example.com/", "Use a web address without a password, such as https://ci.example.com/hook"],
  ])("does not ask the service for %j, nor without events", async (url, sentence) => {
    const { screen, service } = await open([]);
    await screen.getByRole("button", { name: "Add webhook" }).click();
    await screen.getByLabelText("Address").fill(url);
    await screen.getByRole("dialog").getByRole("button", { name: "Add webhook" }).click();
    await expect.element(screen.getByText(sentence)).toBeVisible();
    await expect.element(screen.getByText("Choose at least one event")).toBeVisible();
    expect(service.to("POST", /webhooks/)).toEqual([]);
  });

  it("says at the address that it was refused", async () => {
    const { screen } = await open([], { answers: { "POST /v1/webhooks": refuse("WEBHOOK_ADDRESS_REFUSED") } });
    await screen.getByRole("button", { name: "Add webhook" }).click();
    await screen.getByLabelText("Address").fill("http://10.0.0.1/");
    await screen.getByLabelText("Online").click();
    await screen.getByRole("dialog").getByRole("button", { name: "Add webhook" }).click();
    await expect.element(screen.getByText("Use https and a public address")).toBeVisible();
    expect(screen.getByLabelText("Address").element().getAttribute("aria-invalid")).toBe("true");
  });

  it("is not offered to whose organization has as many as it can have", async () => {
    const { screen } = await open(Array.from({ length: limits.webhooks }, () => aWebhook()));
    await expect.element(screen.getByRole("row").nth(1)).toBeVisible();
    await screen.getByRole("button", { name: "Add webhook" }).click();
    await expect.element(screen.getByRole("dialog", { name: "Your organization has 10 webhooks" })).toBeVisible();
  });
});

describe("a webhook", () => {
  it("is changed in the same form", async () => {
    const { screen, service, act } = await open([aWebhook({ description: "CI" })]);
    await act("CI", "Edit");
    await expect.element(screen.getByLabelText("Address")).toHaveValue("https://ci.example.com/hook");
    await expect.element(screen.getByLabelText("Online")).toBeChecked();
    await screen.getByLabelText("Online").click();
    await screen.getByRole("button", { name: "Save" }).click();
    await vi.waitFor(() =>
      expect(service.to("PATCH", /webhooks/)[0]?.body).toMatchObject({ description: "CI", events: ["recipe.deleted"] }),
    );
  });

  it("is deleted, which is asked for first", async () => {
    const { screen, service, act } = await open([aWebhook({ description: "CI" })]);
    await act("CI", "Delete");
    await expect.element(screen.getByRole("button", { name: "Cancel" })).toHaveFocus();
    await userEvent.keyboard("{Escape}");
    expect(service.to("DELETE", /webhooks/)).toEqual([]);
    await act("CI", "Delete");
    await screen.getByRole("button", { name: "Delete webhook" }).click();
    await expect.element(screen.getByText("Nothing is told what happens here")).toBeVisible();
  });

  it("opens its log", async () => {
    const { screen } = await open([aWebhook({ description: "CI" })]);
    await screen.getByRole("button", { name: "Open the log of CI" }).click();
    await expect.element(screen.getByText("Nothing was sent yet")).toBeVisible();
  });

  it("gets a new secret, which is shown once", async () => {
    const webhook = aWebhook({ description: "CI" });
    const { screen } = await open([webhook], { address: `/administration/webhooks/${webhook.uuid}` });
    await screen.getByRole("button", { name: "New secret" }).click();
    await screen.getByRole("dialog").getByRole("button", { name: "New secret" }).click();
    await expect.element(screen.getByLabelText("Secret of CI")).toHaveValue(secret);
    await expect.element(screen.getByText(/signs too for 24 hours/)).toBeVisible();
  });

  it("keeps its question until the new secret is there, or was refused", async () => {
    const webhook = aWebhook({ description: "CI" });
    const held = Promise.withResolvers<unknown>();
    let answer: () => unknown = refuse("INTERNAL_ERROR");
    const { screen } = await open([webhook], {
      answers: { "POST /v1/webhooks/:uuid/rotate-secret": () => answer() },
      address: `/administration/webhooks/${webhook.uuid}`,
    });
    await screen.getByRole("button", { name: "New secret" }).click();
    const dialog = screen.getByRole("dialog", { name: "Give CI a new secret?" });
    await dialog.getByRole("button", { name: "New secret" }).click();
    await expect.element(dialog.getByText("The webhook has no new secret.")).toBeVisible();
    answer = () => held.promise;
    await dialog.getByRole("button", { name: "New secret" }).click();
    await expect.element(dialog.getByText("Saving…")).toBeVisible();
    await userEvent.keyboard("{Escape}");
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await expect.element(dialog).toBeVisible();
    held.resolve({ ...webhook, secret });
    await expect.element(screen.getByLabelText("Secret of CI")).toHaveValue(secret);
  });

  it("is disabled, which is asked for first", async () => {
    const webhook = aWebhook();
    const { screen, service } = await open([webhook], { address: `/administration/webhooks/${webhook.uuid}` });
    await screen.getByRole("button", { name: "Disable" }).click();
    await expect.element(screen.getByRole("button", { name: "Cancel" })).toHaveFocus();
    expect(service.to("PATCH", /webhooks/)).toEqual([]);
    await screen.getByRole("dialog").getByRole("button", { name: "Disable" }).click();
    await vi.waitFor(() => expect(service.to("PATCH", /webhooks/)[0]?.body).toEqual({ is_enabled: false }));
  });
});

describe("the log of a webhook", () => {
  const at = (webhook: Webhook, query = "") => `/administration/webhooks/${webhook.uuid}${query}`;

  it("asks for what the address says", async () => {
    const webhook = aWebhook();
    const { screen, service } = await open([webhook], {
      deliveries: [aDelivery({ state: "failed", status: null, error: "TIMEOUT", attempts: 10 })],
      address: at(webhook, "?state=failed&type=instance.started&page=1"),
    });
    await expect
      .element(screen.getByRole("row", { name: /instance\.started.*Failed.*No answer in time.*10/ }))
      .toBeVisible();
    const [asked] = service.to("GET", /deliveries/);
    expect([asked?.query.getAll("state"), asked?.query.getAll("type")]).toEqual([["failed"], ["instance.started"]]);
    expect(nameless()).toEqual([]);
  });

  it("shows a delivery that a link names: what was sent, and each answer; and replays it", async () => {
    const webhook = aWebhook();
    const delivery = aDelivery({ state: "failed" });
    const { screen, service } = await open([webhook], {
      deliveries: [delivery],
      address: at(webhook, `?delivery=${delivery.uuid}`),
    });
    const dialog = screen.getByRole("dialog", { name: "instance.started" });
    await expect.element(dialog.getByText(/"name": "pixel-7"/)).toBeVisible();
    await expect.element(dialog.getByText("out of soil")).toBeVisible();
    await dialog.getByRole("button", { name: "Replay" }).click();
    await vi.waitFor(() => expect(service.to("POST", new RegExp(`${delivery.uuid}/replay`))).toHaveLength(1));
    await expect.element(dialog).not.toBeInTheDocument();
  });

  it("opens a delivery as a step of its own, which closing takes back, and keeps the place", async () => {
    const webhook = aWebhook();
    fakeService({
      "GET /v1/webhooks": () => ({ webhooks: [webhook] }),
      "GET /v1/webhooks/:uuid/deliveries": () => aPage([aDelivery()]),
      "GET /v1/webhooks/:uuid/deliveries/:uuid": () => ({ ...aDelivery(), payload: "{}", log: [] }),
    });
    const router = createMemoryRouter([{ path: "/administration/webhooks/:uuid", element: <WebhookPage /> }], {
      initialEntries: [at(webhook)],
    });
    const screen = await render(
      <InTestApp isRouted={false}>
        <RouterProvider router={router} />
      </InTestApp>,
    );
    const how = () => [
      router.state.location.search !== "",
      router.state.historyAction,
      router.state.preventScrollReset,
    ];
    await screen.getByRole("row", { name: /instance\.started/ }).dblClick();
    await expect.element(screen.getByRole("dialog", { name: "instance.started" })).toBeVisible();
    expect(how()).toEqual([true, "PUSH", true]);
    await userEvent.keyboard("{Escape}");
    await vi.waitFor(() => expect(how()).toEqual([false, "REPLACE", true]));
  });

  it("replays all that has failed, and sends a test event", async () => {
    const webhook = aWebhook();
    const { screen, service } = await open([webhook], { deliveries: [aDelivery()], address: at(webhook) });
    await screen.getByRole("button", { name: "Replay failed" }).click();
    await screen.getByRole("dialog").getByRole("button", { name: "Replay" }).click();
    await expect.element(screen.getByText("3 deliveries are sent again")).toBeVisible();
    const { since } = (service.to("POST", /replay-failed/)[0]?.body ?? {}) as { since: string };
    expect(Math.round((Date.now() - new Date(since).getTime()) / 3_600_000)).toBe(24);
    await screen.getByRole("button", { name: "Send test event" }).click();
    await expect.element(screen.getByText("A test event is on its way to ci.example.com/hook")).toBeVisible();
  });

  it("looks again while something is under way", async () => {
    const webhook = aWebhook();
    const delivery = aDelivery({ state: "waiting", attempts: 0, status: null });
    const deliveries = [delivery];
    const { screen } = await open([webhook], { deliveries, address: at(webhook) });
    await expect.element(screen.getByRole("row", { name: /Waiting/ })).toBeVisible();
    deliveries[0] = { ...delivery, state: "delivered", attempts: 1, status: 204 };
    await expect.element(screen.getByRole("row", { name: /Delivered.*204/ })).toBeVisible();
  });

  it("looks again before a retry that is near, at the webhook and the open delivery as well", async () => {
    const webhooks = [aWebhook({ health: "retrying" })];
    const next_at = new Date(Date.now() + 20_000).toISOString();
    const delivery = aDelivery({ state: "waiting", status: 500, next_at });
    const deliveries = [delivery];
    const { screen } = await open(webhooks, {
      deliveries,
      address: at(webhooks[0]!, `?delivery=${delivery.uuid}`),
    });
    const dialog = screen.getByRole("dialog", { name: "instance.started" });
    await expect.element(dialog.getByText("Waiting")).toBeVisible();
    deliveries[0] = { ...delivery, state: "delivered", attempts: 2, status: 204, next_at: null };
    webhooks[0] = { ...webhooks[0]!, health: "healthy" };
    await expect.element(dialog.getByText("Delivered")).toBeVisible();
    await userEvent.keyboard("{Escape}");
    await expect.element(screen.getByText("Healthy")).toBeVisible();
  });

  it("shows that it is on its way", async () => {
    await open([], { answers: { "GET /v1/webhooks": () => new Promise(() => undefined) }, address: at(aWebhook()) });
    await vi.waitFor(() => expect(document.querySelector(".MuiSkeleton-root[aria-busy=true]")).not.toBeNull());
  });

  it("says why nothing is sent, and can be enabled there", async () => {
    const webhook = aWebhook({ health: "disabled", disabled_reason: "failing" });
    const { screen, service } = await open([webhook], { deliveries: [aDelivery()], address: at(webhook) });
    await expect.element(screen.getByText(/It accepted nothing for days and was disabled/)).toBeVisible();
    expect(screen.getByRole("button", { name: "Send test event" }).elements()).toEqual([]);
    await screen.getByRole("button", { name: "Enable" }).click();
    await vi.waitFor(() => expect(service.to("PATCH", /webhooks/)[0]?.body).toEqual({ is_enabled: true }));
  });

  it("of one that is not there says so", async () => {
    const { screen } = await open([], { address: `/administration/webhooks/${anId()}` });
    await expect.element(screen.getByText("There is no such webhook")).toBeVisible();
  });
});
