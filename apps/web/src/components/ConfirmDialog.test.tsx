import { describe, expect, it } from "vitest";
import { userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { InTestApp } from "../testing/InTestApp.tsx";
import { ConfirmDialog } from "./ConfirmDialog.tsx";

const dialog = (text: string, isDestructive = true) => (
  <InTestApp>
    <ConfirmDialog
      isDestructive={isDestructive}
      title="Stop it?"
      confirm="Stop device"
      onClose={() => undefined}
      onConfirm={() => undefined}
    >
      {text}
    </ConfirmDialog>
  </InTestApp>
);

describe("a question", () => {
  it("starts at Cancel when something would be lost, else at the act", async () => {
    const screen = await render(dialog("one"));
    await expect.element(screen.getByRole("button", { name: "Cancel" })).toHaveFocus();
    await screen.unmount();
    const other = await render(dialog("one", false));
    await expect.element(other.getByRole("button", { name: "Stop device" })).toHaveFocus();
  });

  it("leaves the focus where a person put it when what it says changes", async () => {
    const screen = await render(dialog("one"));
    await expect.element(screen.getByRole("button", { name: "Cancel" })).toHaveFocus();
    await userEvent.keyboard("{Tab}");
    await screen.rerender(dialog("two"));
    await expect.element(screen.getByText("two")).toBeVisible();
    await expect.element(screen.getByRole("button", { name: "Stop device" })).toHaveFocus();
  });
});
