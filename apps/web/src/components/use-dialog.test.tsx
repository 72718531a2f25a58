import { useEffect } from "react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { render } from "vitest-browser-react";
import { InTestApp } from "../testing/InTestApp.tsx";
import { soon } from "../testing/soon.ts";
import { AppDialog } from "./AppDialog.tsx";
import { OpenDialog, useDialog } from "./use-dialog.tsx";

type Asked = { what: "stop"; device: string } | { what: "save"; device: string } | { what: "columns" };

let dialog: ReturnType<typeof useDialog<Asked>>;

function Page() {
  const shown = useDialog<Asked>();
  useEffect(() => {
    dialog = shown;
  });
  const { asked, ask, close } = shown;
  return (
    <OpenDialog
      asked={asked}
      dialogs={{
        stop: ({ device }) => (
          <AppDialog title={`Stop ${device}?`} onClose={close} dismiss="Cancel">
            <button onClick={() => ask({ what: "save", device })}>Save it first</button>
          </AppDialog>
        ),
        save: ({ device }) => (
          <AppDialog title={`Save ${device}`} onClose={close} dismiss="Cancel">
            {null}
          </AppDialog>
        ),
        columns: () => <p>Columns</p>,
      }}
    />
  );
}

describe("the dialog of a page", () => {
  beforeEach(() => vi.restoreAllMocks());

  it("makes way for the next one, and forgets what it was about when it closes", async () => {
    const screen = await render(<Page />, { wrapper: InTestApp });
    expect(screen.getByRole("dialog").elements()).toEqual([]);
    dialog.ask({ what: "stop", device: "one" });
    await screen.getByRole("dialog", { name: "Stop one?" }).getByRole("button", { name: "Save it first" }).click();
    await expect.element(screen.getByRole("dialog", { name: "Save one" })).toBeVisible();
    expect(screen.getByRole("dialog").elements()).toHaveLength(1);
    await screen.getByRole("button", { name: "Cancel" }).click();
    expect(dialog.asked).toBeUndefined();
    await expect.element(screen.getByRole("dialog")).not.toBeInTheDocument();
  });

  it("is logged when the page does not have it, and does not open", async () => {
    const log = vi.spyOn(console, "error").mockReturnValue(undefined);
    const screen = await render(<Page />, { wrapper: InTestApp });
    dialog.ask({ what: "dance" } as unknown as Asked);
    await soon(() => expect(log).toHaveBeenCalledWith("There is no dialog dance"));
    expect(screen.getByRole("dialog").elements()).toEqual([]);
    dialog.ask({ what: "columns" });
    await expect.element(screen.getByText("Columns")).toBeVisible();
  });
});
