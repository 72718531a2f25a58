import { contract, nounTags, openApiDocument } from "@terrarium/contract";
import { Route, Routes } from "react-router";
import { describe, expect, it } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { fakeService } from "../../testing/fake-service.ts";
import { InTestApp } from "../../testing/InTestApp.tsx";
import DocsPage from "./DocsPage.tsx";

async function open(address: string) {
  await page.viewport(1440, 900);
  fakeService({ "GET /openapi.json": () => openApiDocument(contract, nounTags, "1") });
  return render(
    <InTestApp address={address}>
      <Routes>
        {["/docs", "/docs/:name"].map((path) => (
          <Route key={path} path={path} element={<DocsPage />} />
        ))}
      </Routes>
    </InTestApp>,
  );
}

describe("the documentation", () => {
  it("begins with the first steps, and leads to every page and heading", async () => {
    const shown = await open("/docs");
    await expect.element(shown.getByRole("heading", { level: 1, name: "Getting started" })).toBeVisible();
    expect(document.title).toBe("Getting started · Terrarium");
    const contents = shown.getByRole("navigation", { name: "Contents" });
    await expect
      .element(contents.getByRole("link", { name: "Your first device" }))
      .toHaveAttribute("href", "/docs#your-first-device");
    await expect.element(shown.getByRole("link", { name: "Link to “Share”" })).toHaveAttribute("href", "#share");
    await contents.getByRole("link", { name: "API errors" }).click();
    await expect.element(shown.getByRole("heading", { level: 1, name: /^Every error code/ })).toBeVisible();
    await expect.element(contents.getByRole("link", { name: "API errors" })).toHaveAttribute("aria-current", "page");
  });

  it("folds its contents above the text on a phone, until another page is opened", async () => {
    const shown = await open("/docs");
    await page.viewport(390, 844);
    const link = shown.getByRole("navigation", { name: "Contents" }).getByRole("link", { name: "API errors" });
    await expect.element(link).not.toBeInTheDocument();
    const contents = shown.getByRole("button", { name: "Contents" });
    await contents.click();
    await expect.element(contents).toHaveAttribute("aria-expanded", "true");
    await link.click();
    await expect.element(shown.getByRole("heading", { level: 1, name: /^Every error code/ })).toBeVisible();
    await expect.element(contents).toHaveAttribute("aria-expanded", "false");
  });

  it("has marks beside headings that are as large as a finger on a phone, and do not move the text", async () => {
    const shown = await open("/docs");
    await page.viewport(390, 844);
    const mark = shown.getByRole("link", { name: "Link to “Share”" }).element();
    const [{ width, height }, heading] = [mark.getBoundingClientRect(), mark.parentElement];
    expect([width, height]).toEqual([44, 44]);
    expect(heading?.clientHeight).toBeLessThan(44);
  });

  it("goes to the anchor of its address once the text is there", async () => {
    await open("/docs/errors#TOO_MANY_REQUESTS");
    await expect
      .poll(() => document.getElementById("TOO_MANY_REQUESTS")?.getBoundingClientRect().top ?? 9999)
      .toBeLessThan(900);
    expect(globalThis.scrollY).toBeGreaterThan(0);
    const anchor = document.getElementById("TOO_MANY_REQUESTS");
    expect(document.activeElement).toBe(anchor);
    expect(getComputedStyle(anchor!).backgroundColor).not.toBe("rgba(0, 0, 0, 0)");
  });

  it("leads to a heading of the page from its contents, while a search stands in its place too", async () => {
    const shown = await open("/docs?search=okta");
    await expect.element(shown.getByRole("heading", { level: 1, name: /sections? found/ })).toBeVisible();
    await shown.getByRole("navigation").getByRole("link", { name: "Your first device" }).click();
    const heading = shown.getByRole("heading", { name: /^Your first device/ });
    await expect.element(heading).toHaveFocus();
    await expect.element(shown.getByRole("textbox", { name: "Search the documentation" })).toHaveValue("");
  });

  it("follows links of the text in the app, but those that somebody wants beside it", async () => {
    const shown = await open("/docs/readme");
    const link = shown.getByRole("article").getByRole("link", { name: "docs/OPERATIONS.md" }).first();
    await expect.element(link).toBeVisible();
    const click = (init: MouseEventInit) => {
      const event = new MouseEvent("click", { bubbles: true, cancelable: true, ...init });
      // No test may leave its page.
      addEventListener("click", (last) => last.preventDefault(), { once: true });
      let wasTaken = false;
      document.body.addEventListener("click", () => (wasTaken = event.defaultPrevented), { once: true });
      link.element().dispatchEvent(event);
      return wasTaken;
    };
    expect(click({ ctrlKey: true })).toBe(false);
    expect(click({})).toBe(true);
    await expect
      .element(shown.getByRole("link", { name: "To run it for real" }))
      .toHaveAttribute("aria-current", "page");
  });

  it("leads to its first page from one that is not there", async () => {
    const shown = await open("/docs/nothing");
    await expect.element(shown.getByRole("heading", { level: 1, name: "Getting started" })).toBeVisible();
  });

  it("says how many it has found where screen readers already listen", async () => {
    const shown = await open("/docs/cli");
    await expect.element(shown.getByRole("heading", { level: 1 })).toBeVisible();
    const region = shown.getByRole("status").element();
    expect(region.textContent).toBe("");
    await shown.getByRole("textbox", { name: "Search the documentation" }).fill("okta zzz");
    await expect.poll(() => region.textContent).toBe("0 sections found");
    expect(region.isConnected).toBe(true);
  });

  it("finds sections of all pages, by all of the words", async () => {
    const shown = await open("/docs/cli?search=too_many_requests%20wait");
    await expect.element(shown.getByRole("heading", { level: 1, name: /sections? found/ })).toBeVisible();
    await expect.element(shown.getByText("API errors").last()).toBeVisible();
    await shown.getByRole("textbox", { name: "Search the documentation" }).fill("okta zzz");
    await expect.element(shown.getByText("Nothing has all of these words.")).toBeVisible();
    await shown.getByRole("textbox", { name: "Search the documentation" }).fill("assign people okta");
    await shown.getByRole("link", { name: "Okta", exact: true }).click();
    await expect.element(shown.getByRole("heading", { level: 1, name: "People from your directory" })).toBeVisible();
  });
});
