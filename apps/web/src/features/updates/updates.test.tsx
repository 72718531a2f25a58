import { beforeEach, describe, expect, it, vi } from "vitest";
import { render } from "vitest-browser-react";
import { Route, Routes } from "react-router";
import { InTestApp } from "../../testing/InTestApp.tsx";
import { News } from "./News.tsx";
import UpdatePage from "./UpdatePage.tsx";
import { UpdatesDialog } from "./UpdatesDialog.tsx";
import { newsFor, readUpdates, updates } from "./updates.ts";

beforeEach(() => readUpdates.write([]));

describe("what's new", () => {
  it("has seven entries, of which the latest is a major one", () => {
    expect(updates).toHaveLength(7);
    expect(updates[0]).toEqual({ id: "25-07_1", isMajor: true });
    expect(updates.map(({ id }) => id)).toEqual(
      updates
        .map(({ id }) => id)
        .toSorted()
        .toReversed(),
    );
  });

  it("tells by itself of the latest entry only, if it is major and unread", () => {
    const [latest, ...older] = updates;
    expect(newsFor([])).toBe(latest);
    expect(newsFor(["25-07_1"])).toBe(undefined);
    expect(newsFor([], [{ ...updates[0]!, isMajor: false }, ...older])).toBe(undefined);
  });

  it("is told once: what was closed does not come back", async () => {
    const shown = await render(<News onAll={vi.fn()} />, { wrapper: InTestApp });
    const card = shown.getByRole("region", { name: "A shelf of live devices" });
    await expect.element(card).toBeVisible();
    await card.getByRole("button", { name: "Got it" }).click();
    await expect.element(card).not.toBeInTheDocument();
    const kept = JSON.parse(localStorage.getItem("vd.pref.read-updates") ?? "") as { version: number; value: string[] };
    expect([kept.version, kept.value]).toEqual([1, updates.map(({ id }) => id)]);
  });

  it("marks what is new in the list, and counts as read when that is closed", async () => {
    readUpdates.write(["25-05_1"]);
    const onClose = vi.fn();
    const shown = await render(<UpdatesDialog onClose={onClose} />, { wrapper: InTestApp });
    const dialog = shown.getByRole("dialog", { name: "What’s new" });
    await expect.element(dialog).toBeVisible();
    expect(dialog.element().querySelectorAll("ol > li")).toHaveLength(7);
    expect(dialog.getByText("New", { exact: true }).elements()).toHaveLength(6);
    await dialog.getByRole("button", { name: "Close" }).first().click();
    expect([onClose.mock.calls.length, readUpdates.read().length]).toEqual([1, 7]);
  });
});

describe("/update/{id}", () => {
  const open = (address: string) =>
    render(
      <InTestApp address={address}>
        <Routes>
          <Route path="/update/:id" Component={UpdatePage} />
          <Route path="/" element={<h1>Home</h1>} />
        </Routes>
      </InTestApp>,
    );

  it("shows one entry to anybody, and remembers that it was read", async () => {
    const shown = await open("/update/25-07_1");
    await expect.element(shown.getByRole("heading", { name: "A shelf of live devices" })).toBeVisible();
    await expect.element(shown.getByText("July 2025")).toBeVisible();
    expect(readUpdates.read()).toEqual(["25-07_1"]);
  });

  it.each(["25-07_2", "constructor", "25-07_1x"])("leads home from %s", async (id) => {
    const shown = await open(`/update/${id}`);
    await expect.element(shown.getByRole("heading", { name: "Home" })).toBeVisible();
    expect(readUpdates.read()).toEqual([]);
  });
});
