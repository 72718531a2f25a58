import { AppError, type InstalledApp, type Instance, type Recipe } from "@terrarium/contract";
import { act, useState } from "react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { page as browserPage, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { FileDrop } from "../../components/FileDrop.tsx";
import { closeSnack, readSnacks } from "../../components/snack-queue.ts";
import { applyChange } from "../../shared/instance-cache.ts";
import { anInstance, anOrganization, aRecipe, manager } from "../../testing/factories.ts";
import { aPage, fakeService } from "../../testing/fake-service.ts";
import { fakeUploads } from "../../testing/fake-upload.ts";
import { InTestApp, testCache } from "../../testing/InTestApp.tsx";
import { nameless } from "../../testing/names.ts";
import { soon } from "../../testing/soon.ts";
import InstallDialog from "./InstallDialog.tsx";
import { recentRecipes } from "./recent-recipes.ts";

const MB = 1_000_000;
const apk = (name = "fern.apk") => new File(["PK\u0003\u0004".padEnd(2 * MB)], name);
const installed: InstalledApp = { package_name: "test.fern", is_open: true };

beforeEach(async () => {
  recentRecipes.write([]);
  for (const { id } of readSnacks()) closeSnack(id);
  await browserPage.viewport(1440, 900);
});

interface Given {
  devices?: Instance[];
  recipes?: Recipe[];
  on?: Instance;
  answers?: Parameters<typeof fakeService>[0];
}

/** A page on which files are dropped. */
async function open({ devices = [], recipes = [], on, answers = {} }: Given = {}) {
  const service = fakeService({
    "GET /v2/instances": () => aPage(devices),
    "GET /v1/instances/:uuid": ({ path }) => devices.find(({ uuid }) => path.includes(uuid)) ?? on,
    "GET /v3/recipes": ({ query }) =>
      aPage(recipes.filter((one) => one.hardware_profile?.form_factor === query.get("form_factor"))),
    ...answers,
  });
  const uploads = fakeUploads();
  const onInstalled = vi.fn<(device: Instance, app: InstalledApp) => void>();
  const Page = () => {
    const [files, setFiles] = useState<readonly File[]>();
    return (
      <>
        <FileDrop title="Drop it" help="Here" onFiles={setFiles} />
        {files && (
          <InstallDialog
            files={files}
            me={manager}
            organization={anOrganization()}
            on={on}
            onClose={() => setFiles(undefined)}
            onInstalled={onInstalled}
          />
        )}
      </>
    );
  };
  const client = testCache();
  const screen = await render(
    <InTestApp client={client}>
      <Page />
    </InTestApp>,
  );
  const drag = (type: string, ...files: File[]) => {
    const dataTransfer = new DataTransfer();
    for (const file of files) dataTransfer.items.add(file);
    const event = new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true });
    document.body.dispatchEvent(event);
    return event;
  };
  const drop = (...files: File[]) => drag("drop", ...files);
  await soon(() => expect(drag("dragleave", apk()).defaultPrevented).toBe(true));
  /** Tells of a change of the device as the service does. */
  const hear = (device: Instance, state: Instance["state"], later: number) =>
    applyChange(client, { ...device, owner_uuid: device.owner.uuid, state, revision: device.revision + later });
  return { screen, service, uploads, onInstalled, drag, drop, hear };
}

describe("a file that is dragged over the page", () => {
  it("shows where to drop it until it leaves, and never opens in the browser", async () => {
    const { screen, drag } = await open();
    expect(drag("dragenter", apk()).defaultPrevented).toBe(true);
    await expect.element(screen.getByText("Drop it")).toBeVisible();
    expect(drag("dragover", apk()).defaultPrevented).toBe(true);
    drag("dragleave", apk());
    await expect.element(screen.getByText("Drop it")).not.toBeInTheDocument();
    expect(drag("drop", apk()).defaultPrevented).toBe(true);
  });

  it("is no text that is dragged", async () => {
    const { screen } = await open();
    const dataTransfer = new DataTransfer();
    dataTransfer.setData("text/plain", "word");
    const event = new DragEvent("drop", { dataTransfer, cancelable: true });
    dispatchEvent(event);
    expect(event.defaultPrevented).toBe(false);
    expect(screen.getByRole("dialog").query()).toBeNull();
  });
});

describe("the install dialog", () => {
  it("installs on a running device that is chosen, says how far it is, and hands on what came of it", async () => {
    const device = anInstance({ name: "moss" });
    const { screen, uploads, onInstalled, drop } = await open({ devices: [device] });
    drop(apk());
    const dialog = screen.getByRole("dialog", { name: "Install fern.apk" });
    await dialog.getByRole("region", { name: "Your running devices" }).getByRole("button", { name: /moss/ }).click();
    await soon(() => expect(uploads).toHaveLength(1));
    uploads[0]?.progress(MB);
    await expect.element(dialog.getByText("Sending 1.0 of 2.0 MB")).toBeVisible();
    await expect.element(dialog.getByRole("progressbar")).toHaveAttribute("aria-valuenow", "50");
    expect(nameless()).toEqual([]);
    uploads[0]?.progress(2 * MB);
    await expect.element(dialog.getByText("Installing on moss")).toBeVisible();
    uploads[0]?.answer(200, installed);
    await soon(() => expect(onInstalled.mock.calls).toEqual([[device, installed]]));
    expect(readSnacks()).toEqual([]);
  });

  it("starts a device for it, waits until it is online, and does not offer another then", async () => {
    const recipe = aRecipe({ name: "Fern 15" });
    let device = anInstance({ name: "fern-15", state: "CREATING" });
    const { screen, service, uploads, drop } = await open({
      recipes: [recipe],
      answers: {
        "POST /v1/recipes/:uuid/start-disposable": () => device,
        "GET /v1/instances/:uuid": () => device,
      },
    });
    drop(apk());
    const choices = screen.getByRole("region", { name: "Start one" });
    await choices.getByRole("button", { name: /Fern 15/ }).click();
    await expect.element(screen.getByText("Starting fern-15")).toBeVisible();
    expect(uploads).toEqual([]);
    device = { ...device, state: "ONLINE" };
    await soon(() => expect(uploads).toHaveLength(1));
    expect(service.to("POST", /start-disposable/)).toHaveLength(1);
    expect(recentRecipes.read()).toEqual([recipe.uuid]);
    uploads[0]?.answer(422, { code: "APP_REFUSED", details: { reason: "INSTALL_FAILED_OLDER_SDK", words: "Failure" } });
    await expect.element(screen.getByText("It needs a newer Android than this device has.")).toBeVisible();
    expect(screen.getByRole("button", { name: "Choose another device" }).query()).toBeNull();
  });

  it("says that a device starts when it is cancelled before the answer", async () => {
    const answer = Promise.withResolvers<unknown>();
    const { screen, service, uploads, drop } = await open({
      recipes: [aRecipe({ name: "Fern 15" })],
      answers: { "POST /v1/recipes/:uuid/start-disposable": () => answer.promise },
    });
    drop(apk());
    await screen.getByRole("button", { name: /Fern 15/ }).click();
    await soon(() => expect(service.to("POST", /start-disposable/)).toHaveLength(1));
    await userEvent.keyboard("{Escape}");
    await expect.element(screen.getByRole("dialog")).not.toBeInTheDocument();
    answer.resolve(anInstance({ name: "fern-15" }));
    await soon(() => expect(readSnacks().map(({ message }) => message)).toEqual(["Starting fern-15"]));
    expect(uploads).toEqual([]);
  });

  it("says the device's reason and words, and goes back to the choice", async () => {
    const { screen, uploads, drop } = await open({ devices: [anInstance({ name: "moss" })] });
    drop(apk());
    await screen.getByRole("button", { name: /moss/ }).click();
    await soon(() => expect(uploads).toHaveLength(1));
    const words = "Failure [INSTALL_FAILED_NO_MATCHING_ABIS: res=-113]";
    uploads[0]?.answer(422, {
      code: "APP_REFUSED",
      details: { reason: "INSTALL_FAILED_NO_MATCHING_ABIS", words },
    });
    await expect.element(screen.getByText("It was built for other processors than this device has.")).toBeVisible();
    await expect.element(screen.getByLabelText("What the device says")).toHaveTextContent(words);
    await screen.getByRole("button", { name: "Choose another device" }).click();
    await expect.element(screen.getByRole("button", { name: /moss/ })).toBeVisible();
  });

  it.each([
    [{ code: "APP_REFUSED", details: { reason: "constructor" } }, "The device refused to install it."],
    [{ code: "BODY_TOO_LARGE", details: { max_bytes: String(64 * 1024 ** 2) } }, /apps of up to 64 MB/],
    [{ code: "BODY_TOO_LARGE" }, /takes no apps as large as this one/],
    [{ code: "INSTANCE_NOT_ONLINE" }, "The device is not online any more."],
    [{ code: "INTERNAL_ERROR" }, "The app was not installed."],
  ])("says what %j means", async (body, words) => {
    const on = anInstance();
    const { screen, uploads, drop } = await open({ on });
    drop(apk());
    await soon(() => expect(uploads).toHaveLength(1));
    uploads[0]?.answer(400, body);
    await expect.element(screen.getByText(words)).toBeVisible();
    expect(screen.getByRole("button", { name: "Try again" }).query()).toBeNull();
  });

  it("tries again after a broken connection, with a new upload", async () => {
    const on = anInstance();
    const { screen, uploads, onInstalled, drop } = await open({ on });
    drop(apk());
    await soon(() => expect(uploads).toHaveLength(1));
    uploads[0]?.break();
    await expect.element(screen.getByText(/connection to the device was lost/)).toBeVisible();
    await screen.getByRole("button", { name: "Try again" }).click();
    await soon(() => expect(uploads).toHaveLength(2));
    uploads[1]?.answer(200, { ...installed, is_open: false });
    await soon(() => expect(onInstalled).toHaveBeenCalledOnce());
    expect(readSnacks().map(({ message }) => message)).toEqual([`Installed on ${on.name}. It has no screen to open.`]);
  });

  it("ends the upload when it is cancelled", async () => {
    const { screen, uploads, drop } = await open({ on: anInstance() });
    drop(apk());
    await soon(() => expect(uploads).toHaveLength(1));
    await screen.getByRole("button", { name: "Cancel" }).click();
    await soon(() => expect(uploads[0]?.isAborted).toBe(true));
    expect(screen.getByRole("dialog").query()).toBeNull();
  });

  it("says that the device has ended while it waited", async () => {
    const on = anInstance({ state: "BOOTING" });
    const ended = () => {
      throw new AppError("INSTANCE_ENDED");
    };
    const { screen, uploads, drop } = await open({ on, answers: { "GET /v1/instances/:uuid": ended } });
    drop(apk());
    await expect.element(screen.getByText("The device has ended.")).toBeVisible();
    expect(uploads).toEqual([]);
  });

  it("calls the upload off while the device is saved, and does not begin again unasked", async () => {
    const on = anInstance();
    const { screen, uploads, drop, hear } = await open({ on });
    drop(apk());
    await soon(() => expect(uploads).toHaveLength(1));
    uploads[0]?.progress(MB);
    hear(on, "SAVING", 1);
    await expect.element(screen.getByText("The device is not online any more.")).toBeVisible();
    await soon(() => expect(uploads[0]?.isAborted).toBe(true));
    await act(() => hear(on, "ONLINE", 2));
    expect(screen.getByText("The device is not online any more.").query()).not.toBeNull();
    expect(uploads).toHaveLength(1);
    drop(apk("another.apk"));
    await soon(() => expect(uploads).toHaveLength(2));
  });

  it("goes on with the upload when an answer was overtaken by the news that the device is online", async () => {
    const on = anInstance({ state: "BOOTING" });
    const answer = Promise.withResolvers<unknown>();
    const asked = () => service.to("GET", /^\/v1\/instances\/[^/]+$/);
    const { screen, service, uploads, drop, hear } = await open({
      on,
      answers: {
        "GET /v1/instances/:uuid": () => (asked().length > 1 ? answer.promise : on),
      },
    });
    drop(apk());
    await soon(() => expect(asked()).toHaveLength(2));
    hear(on, "ONLINE", 1);
    await soon(() => expect(uploads).toHaveLength(1));
    answer.resolve(on);
    await soon(() => expect(asked().length).toBeGreaterThan(2));
    await expect.element(screen.getByText(/^Sending/)).toBeVisible();
    expect(uploads.map(({ isAborted }) => isAborted)).toEqual([false]);
  });

  it("refuses what is no APK before anything is sent, and takes the next one that is dropped", async () => {
    const { screen, uploads, drop } = await open({ on: anInstance() });
    drop(new File(["text"], "notes.txt"));
    await expect.element(screen.getByText("This file is not an APK.")).toBeVisible();
    drop(apk("one.apk"), apk("two.apk"));
    await expect.element(screen.getByText(/Drop one APK at a time/)).toBeVisible();
    await expect.element(screen.getByRole("button", { name: "Choose another file" })).toHaveFocus();
    expect(uploads).toEqual([]);
    drop(apk());
    await soon(() => expect(uploads).toHaveLength(1));
  });

  it("says when there is neither a device nor anything to start", async () => {
    const { screen, drop } = await open();
    drop(apk());
    await expect.element(screen.getByText(/There is no device to install it on/)).toBeVisible();
  });
});
