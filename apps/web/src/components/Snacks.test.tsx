import { useState } from "react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { InTestApp } from "../testing/InTestApp.tsx";
import { AppDialog } from "./AppDialog.tsx";
import { readSnacks, closeSnack, snack } from "./snack-queue.ts";
import { Snacks } from "./Snacks.tsx";

function Page() {
  const [isOpen, setOpen] = useState(false);
  return (
    <InTestApp>
      <button onClick={() => setOpen(true)}>Ask</button>
      {isOpen && (
        <AppDialog title="A question" isLarge onClose={() => setOpen(false)} actions={<button>Yes</button>}>
          Well?
        </AppDialog>
      )}
      <Snacks />
    </InTestApp>
  );
}

beforeEach(() => {
  for (const { id } of readSnacks()) closeSnack(id);
});

describe("snacks", () => {
  it.each([390, 1440])("lie above an open dialog at %s px, where the Tab key reaches them", async (width) => {
    await page.viewport(width, 800);
    const shown = await render(<Page />);
    await shown.getByText("Ask").click();
    snack("error", "The device could not be started. ".repeat(6), { label: "Look", run: () => undefined });
    const alert = shown.getByRole("alert");
    await expect.element(alert).toBeVisible();
    const box = alert.element().getBoundingClientRect();
    expect(box.right).toBeLessThanOrEqual(width - 16);
    expect(document.elementFromPoint(box.left + 20, box.top + box.height / 2)?.closest("[role=alert]")).toBeTruthy();
    await expect.element(shown.getByRole("button", { name: "Yes" })).toBeVisible();
    (shown.getByRole("button", { name: "Yes" }).element() as HTMLElement).focus();
    await userEvent.keyboard("{Tab}");
    await expect.element(shown.getByRole("button", { name: "Look" })).toHaveFocus();
  });

  it("close with Escape and leave the dialog open; the page has them back when it closes", async () => {
    const shown = await render(<Page />);
    await shown.getByText("Ask").click();
    await expect.element(shown.getByRole("dialog")).toBeVisible();
    snack("error", "First", { label: "Look", run: () => undefined });
    snack("error", "Second", { label: "See", run: () => undefined });
    await expect.element(shown.getByRole("button", { name: "Look" })).toBeVisible();
    (shown.getByRole("button", { name: "Look" }).element() as HTMLElement).focus();
    await userEvent.keyboard("{Escape}");
    await expect.element(shown.getByText("First")).not.toBeInTheDocument();
    await expect.element(shown.getByRole("dialog")).toBeVisible();
    await shown.getByRole("button", { name: "Close" }).first().click();
    await expect.element(shown.getByRole("dialog")).not.toBeInTheDocument();
    await expect.element(shown.getByText("Second")).toBeVisible();
  });

  it("lead to another page, and do not offer the one that is open", async () => {
    const shown = await render(<Page />);
    snack("success", "Starting one", { label: "Open", to: "/one" });
    await shown.getByRole("link", { name: "Open" }).click();
    await expect.element(shown.getByText("Starting one")).not.toBeInTheDocument();
    snack("success", "Starting it", { label: "Open", to: "/one" });
    await expect.element(shown.getByText("Starting it")).toBeVisible();
    await expect.element(shown.getByRole("link", { name: "Open" })).not.toBeInTheDocument();
  });

  it("carry the next step, and go once it is taken", async () => {
    const run = vi.fn();
    const shown = await render(<Page />);
    snack("success", "Starting one", { label: "Open", run });
    await shown.getByRole("button", { name: "Open" }).click();
    expect(run).toHaveBeenCalledTimes(1);
    await expect.element(shown.getByText("Starting one")).not.toBeInTheDocument();
  });
});
