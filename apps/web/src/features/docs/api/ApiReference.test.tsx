import { contract, nounTags, openApiDocument } from "@terrarium/contract";
import { Route, Routes } from "react-router";
import { describe, expect, it } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { fakeService, refuse } from "../../../testing/fake-service.ts";
import { InTestApp } from "../../../testing/InTestApp.tsx";
import DocsPage from "../DocsPage.tsx";

const uuid = "11111111-1111-4111-8111-111111111111";

async function open(address: string) {
  await page.viewport(1440, 900);
  const service = fakeService({
    "GET /openapi.json": () => openApiDocument(contract, nounTags, "1"),
    "GET /v1/instances/:uuid": () => ({ uuid, name: "mine" }),
    "POST /v1/instances/:uuid/embed-links": refuse("TOO_MANY_EMBED_LINKS"),
  });
  const shown = await render(
    <InTestApp address={address}>
      <Routes>
        <Route path="/docs/:name" element={<DocsPage />} />
      </Routes>
    </InTestApp>,
  );
  return { shown, service };
}

describe("the page of the API", () => {
  it("has every operation, and opens the one of its address", async () => {
    const { shown } = await open("/docs/api#instances.get");
    const entry = shown.getByRole("group").filter({ hasText: "GET /cloud/v1/instances/{uuid}" }).first();
    await expect.element(entry).toHaveAttribute("open");
    await expect
      .element(entry.getByRole("link", { name: "INSTANCE_NOT_FOUND" }))
      .toHaveAttribute("href", "/docs/errors#INSTANCE_NOT_FOUND");
    const operations = Object.values(contract).flatMap((noun) => Object.keys(noun));
    expect(document.querySelectorAll("article details").length).toBe(operations.length);
    await expect
      .element(shown.getByRole("navigation").getByRole("link", { name: "Recipes", exact: true }))
      .toHaveAttribute("href", "/docs/api#recipes");
    await shown.getByRole("navigation").getByRole("link", { name: "Recipes", exact: true }).click();
    await expect.element(shown.getByRole("heading", { name: "Recipes", exact: true })).toHaveFocus();
    await expect.element(entry).not.toHaveAttribute("open");
  });

  it("sends an operation with a token, and shows the answer", async () => {
    const { shown, service } = await open("/docs/api#instances.get");
    const form = shown.getByRole("form", { name: "Try it" });
    await expect.element(form.getByRole("button", { name: "Send GET" })).toBeDisabled();
    await form.getByRole("textbox", { name: "uuid", exact: true }).fill(uuid);
    await form.getByLabelText("API token").fill("secret");
    const words = () => document.querySelector("article form")?.textContent;
    await expect.poll(words).toContain(`/cloud/v1/instances/${uuid}`);
    await form.getByRole("button", { name: "Send GET" }).click();
    await expect.poll(words).toContain('"name": "mine"');
    expect(words()).not.toContain("secret");
    const [call] = service.to("GET", /^\/v1\/instances\/1/);
    expect(call?.headers.get("x-api-token")).toBe("secret");
  });

  it("begins a body with what it must have, sends none that is no JSON, and shows a refusal", async () => {
    const { shown } = await open("/docs/api#embedLinks.create");
    const form = shown.getByRole("form", { name: "Try it" });
    await form.getByRole("textbox", { name: "uuid", exact: true }).fill(uuid);
    const body = form.getByRole("textbox", { name: "Body" });
    await expect.element(body).toHaveValue('{\n  "hours": 1\n}');
    await body.fill("{");
    await expect.element(form.getByText("This is not JSON.")).toBeVisible();
    await expect.element(form.getByRole("button", { name: "Send POST" })).toBeDisabled();
    await body.fill('{ "hours": 4 }');
    await form.getByRole("button", { name: "Send POST" }).click();
    await expect.element(form.getByText(/^Status 409/)).toBeVisible();
    await expect.element(form.getByText(/TOO_MANY_EMBED_LINKS/)).toBeVisible();
  });

  it("is searched with the rest", async () => {
    const { shown } = await open("/docs/api?search=embed-links%20POST");
    await expect
      .element(shown.getByRole("link", { name: /^Make a link with which pages/ }))
      .toHaveAttribute("href", "/docs/api#embedLinks.create");
  });
});
