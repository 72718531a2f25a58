import { AppError } from "@terrarium/contract";
import { useState } from "react";
import { expect, it, vi } from "vitest";
import { render } from "vitest-browser-react";
import { InTestApp } from "../../testing/InTestApp.tsx";
import { FileTray } from "./FileTray.tsx";
import type { Upload } from "./use-uploads.ts";

const upload = (name: string, more: Partial<Upload> = {}): Upload => ({
  key: 1,
  file: new File(["x".repeat(2_000_000)], name),
  state: "waiting",
  sent: 0,
  ...more,
});

async function show(uploads: Upload[], isBusy = false) {
  const acts = { onCancel: vi.fn(), onRetry: vi.fn(), onClose: vi.fn() };
  const screen = await render(
    <InTestApp>
      <FileTray name="my phone" uploads={uploads} isBusy={isBusy} {...acts} />
    </InTestApp>,
  );
  return { screen, ...acts };
}

it("says how far each file is, and lets it be called off", async () => {
  const { screen, onCancel } = await show(
    [upload("a.jpg", { state: "sending", sent: 500_000 }), upload("b.jpg", { key: 2 })],
    true,
  );
  await expect.element(screen.getByText("0.5 of 2.0 MB")).toBeVisible();
  await expect
    .element(screen.getByRole("progressbar", { name: "How much of a.jpg is sent" }))
    .toHaveAttribute("aria-valuenow", "25");
  await expect.element(screen.getByText("Waiting")).toBeVisible();
  await screen.getByRole("button", { name: "Cancel b.jpg" }).click();
  expect(onCancel).toHaveBeenCalledWith(2);
  await expect.element(screen.getByRole("button", { name: "Close the list of files" })).not.toBeInTheDocument();
});

it.each<[Partial<Upload>, string]>([
  [{ state: "lost" }, "Connection lost. It goes on when it is back."],
  [{ state: "sending", sent: 2_000_000 }, "The device is working on it"],
  [{ state: "done" }, "In Download"],
  [{ state: "done", app: { package_name: "a", is_open: true } }, "Installed"],
  [{ state: "cancelled" }, "Cancelled"],
  [{ state: "failed", error: new Error("a bug") }, "The file was not sent."],
  [
    { state: "failed", error: new AppError("FILE_REFUSED", { details: { reason: "FULL", words: "ENOSPC" } }) },
    "The device has too little free storage.",
  ],
  [
    { state: "failed", error: new AppError("FILE_REFUSED", { details: { reason: "OTHER", words: "Read-only" } }) },
    "The device did not take it. Read-only",
  ],
  [
    { state: "failed", error: new AppError("BODY_TOO_LARGE", { details: { max_bytes: String(5 * 1024 ** 2) } }) },
    "This installation takes files of up to 5 MB.",
  ],
  [
    {
      state: "failed",
      error: new AppError("APP_REFUSED", { details: { reason: "INSTALL_FAILED_OLDER_SDK", words: "sdk 99" } }),
    },
    "It needs a newer Android than this device has. sdk 99",
  ],
  [{ state: "done", folder: "/sdcard/Music", sent: 2_000_000 }, "In /sdcard/Music"],
  [{ state: "failed", error: new AppError("INSTANCE_ENDED") }, "The device has ended."],
])("of %j it says %s", async (more, words) => {
  const { screen } = await show([upload("a.jpg", more)]);
  await expect.element(screen.getByRole("status")).toHaveTextContent(words);
});

it("keeps the focus when what had it is gone, and gives it back when it closes", async () => {
  const file = upload("a.jpg", { state: "sending" });
  function Device() {
    const [uploads, setUploads] = useState([file]);
    const [{ state } = file] = uploads;
    return (
      <main tabIndex={-1}>
        {uploads.length > 0 && (
          <FileTray
            name="my phone"
            uploads={uploads}
            isBusy={state !== "cancelled"}
            onCancel={() => setUploads([{ ...file, state: "cancelled" }])}
            onRetry={() => setUploads([{ ...file, key: 2 }])}
            onClose={() => setUploads([])}
          />
        )}
      </main>
    );
  }
  const screen = await render(<Device />, { wrapper: InTestApp });
  const tray = screen.getByRole("region", { name: "Files for my phone" });
  await screen.getByRole("button", { name: "Cancel a.jpg" }).click();
  await vi.waitFor(() => expect(tray.element().contains(document.activeElement)).toBe(true));
  await screen.getByRole("button", { name: "Send a.jpg again" }).click();
  await vi.waitFor(() => expect(tray.element().contains(document.activeElement)).toBe(true));
  await screen.getByRole("button", { name: "Cancel a.jpg" }).click();
  await screen.getByRole("button", { name: "Close the list of files" }).click();
  await expect.element(screen.getByRole("main")).toHaveFocus();
});

it("sends a file again, and closes when nothing is on its way", async () => {
  const failed = upload("a.jpg", { state: "failed", error: new AppError("SERVICE_UNAVAILABLE") });
  const { screen, onRetry, onClose } = await show([failed]);
  await screen.getByRole("button", { name: "Send a.jpg again" }).click();
  expect(onRetry).toHaveBeenCalledWith(failed);
  await screen.getByRole("button", { name: "Close the list of files" }).click();
  expect(onClose).toHaveBeenCalled();
});
