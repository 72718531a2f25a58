import { type ImportEvent, type ImportResult, limits } from "@terrarium/contract";
import { describe, expect, it, vi } from "vitest";
import { userEvent } from "vitest/browser";
import type { Call } from "../../testing/fake-service.ts";
import { refuse } from "../../testing/fake-service.ts";
import { nameless } from "../../testing/names.ts";
import { soon } from "../../testing/soon.ts";
import { openGroups, type SomeGroups, someGroups } from "../groups/testing/open-groups.tsx";

const route = "POST /v1/organizations/:uuid/upload/add-users-to-groups";
const aFile = (name = "people.csv", content = "email,group\nada@demo.test,iOS\n") => new File([content], name);

const aResult = (fields: Partial<ImportResult> = {}): ImportResult => ({
  total: 10,
  added: 6,
  unchanged: 1,
  failed: 3,
  groups: [
    { name: "iOS", added: 4, is_new: false },
    { name: "Wearables", added: 2, is_new: true },
  ],
  failures: [
    { line: 3, email: "x", group: "iOS", reason: "EMAIL_INVALID" },
    { line: 5, email: "zoe@else.test", group: "iOS", reason: "USER_NOT_FOUND" },
    { line: 7, email: "", group: "", reason: "EMAIL_MISSING" },
  ],
  sheet: null,
  report: { name: "people report.csv", type: "text/csv", base64: btoa("line,email") },
  ...fields,
});

const linesOf = (...events: ImportEvent[]) =>
  new Response(events.map((event) => `${JSON.stringify(event)}\n`).join(""));

/** A reply that is sent bit by bit. */
function slowReply() {
  let sending: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({ start: (controller) => void (sending = controller) });
  const send = (text: string) => sending?.enqueue(new TextEncoder().encode(text));
  return {
    reply: new Response(body),
    send,
    end: () => sending?.close(),
    fail: (cause: unknown) => sending?.error(cause),
    tell: (event: ImportEvent) => send(`${JSON.stringify(event)}\n`),
  };
}

/** The dialog, opened from the page of groups. `answer` is the service's; it is asked for a trial first. */
async function openDialog(
  answer: (call: Call) => unknown = () => linesOf({ result: aResult() }),
  data: SomeGroups = someGroups(),
) {
  const page = await openGroups(data, { answers: { [route]: answer } });
  await page.screen.getByRole("button", { name: "Import users" }).click();
  const { dialog, service } = page;
  const input = () => dialog.element().querySelector<HTMLInputElement>("input[type=file]")!;
  return {
    ...page,
    input,
    choose: (file = aFile()) => userEvent.upload(input(), file),
    asked: () => service.to("POST", /add-users-to-groups$/),
    says: async (text: string | RegExp) => {
      await expect.element(dialog.getByText(text)).toBeVisible();
    },
  };
}

function drop(...files: File[]) {
  const dataTransfer = new DataTransfer();
  for (const file of files) dataTransfer.items.add(file);
  for (const type of ["dragenter", "drop"]) dispatchEvent(new DragEvent(type, { dataTransfer, cancelable: true }));
}

const isTrial = ({ query }: Call) => query.get("dry_run") === "true";

describe("importing users", () => {
  it("shows what a file changes before anything does, then does it and says what came of it", async () => {
    const { dialog, input, choose, asked, says, press, service, screen, client } = await openDialog((call) =>
      linesOf({ done: 3, total: 10 }, { result: aResult(isTrial(call) ? {} : { added: 5, unchanged: 2 }) }),
    );
    expect(nameless()).toEqual([]);
    const file = aFile();
    await choose(file);
    await says("To add");
    await expect
      .element(dialog.getByRole("list", { name: "What changes" }))
      .toHaveTextContent("iOS4 usersWearablesNew2 users");
    await expect
      .element(dialog.getByRole("list", { name: "3 lines would fail" }))
      .toHaveTextContent(
        "Line 3x · iOSNot an email addressLine 5zoe@else.test · iOSNot in this organizationLine 7–No email address",
      );
    expect(nameless()).toEqual([]);
    expect(asked().map(({ query }) => Object.fromEntries(query))).toEqual([
      { dry_run: "true", create_groups: "false", report: "lines" },
    ]);
    await expect.element(dialog.getByText(/^3 lines failed/)).not.toBeInTheDocument();
    const before = service.to("GET", /groups$/).length;
    client.setQueryData(["users", "page"], []);
    await expect.element(dialog.getByRole("button", { name: "Add 6 users" })).toHaveFocus();
    // Long lists are scrolled by keys too.
    expect(
      dialog
        .getByRole("list")
        .elements()
        .map((list) => list.getAttribute("tabindex")),
    ).toEqual(["0", "0"]);
    expect(input().value).toBe("");
    await press("Add 6 users");
    await says(/^3 lines failed/);
    await says("Added");
    await expect.element(dialog.getByRole("button", { name: "Done" })).toHaveFocus();
    await expect.element(dialog.getByRole("button", { name: "Choose another file" })).not.toBeInTheDocument();
    expect(asked().at(-1)?.query.get("dry_run")).toBe("false");
    const sent = (asked().at(-1)!.body as FormData).getAll("file") as File[];
    expect(sent.map(({ name }) => name)).toEqual(["people.csv"]);
    expect(asked().at(-1)?.path).toMatch(/^\/v1\/organizations\/[\w-]{36}\/upload\/add-users-to-groups$/);
    await soon(() => expect(service.to("GET", /groups$/).length).toBeGreaterThan(before));
    expect(client.getQueryState(["users", "page"])?.isInvalidated).toBe(true);
    expect([...document.querySelectorAll("[role=status]")].map((status) => status.textContent)).toContain(
      "Added 5 users to groups. 3 lines failed",
    );
    await press("Done");
    await expect.element(screen.getByRole("dialog")).not.toBeInTheDocument();
  });

  it("offers the report, as a file", async () => {
    const { choose, press } = await openDialog();
    const saved = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => undefined);
    const made = vi.spyOn(URL, "createObjectURL");
    await choose();
    await press("Download report");
    const [link] = saved.mock.contexts as HTMLAnchorElement[];
    expect(link?.download).toBe("people report.csv");
    const [blob] = made.mock.calls[0] as [Blob];
    expect([blob.type, await blob.text()]).toEqual(["text/csv", "line,email"]);
    vi.restoreAllMocks();
  });

  it("has a template with an example that is true", async () => {
    const { press } = await openDialog();
    vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => undefined);
    const made = vi.spyOn(URL, "createObjectURL");
    await press("Download a template");
    const [blob] = made.mock.calls[0] as [Blob];
    expect(await blob.text()).toMatch(/^email,group\r\n"[^"@]+@[^"]+","Everyone"\r\n$/);
    vi.restoreAllMocks();
  });

  it("has an example in its template that is a text, whatever the group is called", async () => {
    const data = someGroups();
    data.everyone.name = '=1+"x"';
    const { press } = await openDialog(undefined, data);
    vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => undefined);
    const made = vi.spyOn(URL, "createObjectURL");
    await press("Download a template");
    const [blob] = made.mock.calls[0] as [Blob];
    expect(await blob.text()).toContain(`,"'=1+""x"""`);
    vi.restoreAllMocks();
  });

  it("creates groups where it is asked to, and looks at the file again", async () => {
    const { dialog, choose, asked, says, press } = await openDialog();
    const box = dialog.getByRole("checkbox", { name: "Create groups that do not exist" });
    await expect.element(box).not.toBeChecked();
    await choose();
    await says("To add");
    await box.click();
    await soon(() => expect(asked().map(({ query }) => query.get("create_groups"))).toEqual(["false", "true"]));
    await expect.element(box).toBeChecked();
    await press("Add 6 users");
    await says(/^3 lines failed/);
    expect(asked().at(-1)?.query.get("create_groups")).toBe("true");
  });

  it("says how far it is, and that other sheets are not read", async () => {
    const { reply, tell, send, end } = slowReply();
    const { dialog, choose, says, press } = await openDialog((call) =>
      isTrial(call) ? linesOf({ result: aResult({ sheet: { name: "Staff", others: 2 } }) }) : reply,
    );
    await choose(aFile("people.XLSX"));
    await says("Only the first sheet, “Staff”, is read. The file has 2 more.");
    await press("Add 6 users");
    await says("Importing people.XLSX");
    await says("Sending the file");
    tell({ done: 5, total: 10 });
    await says("5 of 10 lines");
    await expect
      .element(dialog.getByRole("progressbar", { name: "How far it is" }))
      .toHaveAttribute("aria-valuenow", "50");
    const result = JSON.stringify({ result: aResult({ failed: 0, failures: [] }) });
    send(result.slice(0, 20));
    send(`${result.slice(20)}\n`);
    end();
    await says("Added");
    await expect.element(dialog.getByText(/failed/)).not.toBeInTheDocument();
  });

  it("is stopped by its button only, and then says how far it was", async () => {
    const { reply, tell, fail } = slowReply();
    const fetched = vi.fn<(signal: AbortSignal | null | undefined) => void>();
    const { choose, says, press, dialog } = await openDialog((call) =>
      isTrial(call) ? linesOf({ result: aResult() }) : reply,
    );
    const fake = fetch;
    vi.stubGlobal("fetch", (address: string, init: RequestInit) => {
      fetched(init.signal);
      if (address.includes("dry_run=false"))
        init.signal?.addEventListener("abort", () => fail(new DOMException("Aborted", "AbortError")));
      return fake(address, init);
    });
    await choose();
    await press("Add 6 users");
    tell({ done: 5, total: 10 });
    await says("If you stop the import, lines that are done stay done.");
    await expect.element(dialog.getByRole("button", { name: "Stop" })).toHaveFocus();
    await says("5 of 10 lines");
    await userEvent.keyboard("{Escape}");
    await press("Close");
    await userEvent.click(document.querySelector(".MuiDialog-container")!, { position: { x: 5, y: 5 } });
    drop(aFile("others.csv"));
    await says("5 of 10 lines");
    expect(fetched.mock.lastCall?.[0]?.aborted).toBe(false);
    await press("Stop");
    await says(/^The import broke off\. Lines that are done stay done/);
    await says("5 of 10 lines");
    expect(fetched.mock.calls.some(([signal]) => signal?.aborted)).toBe(true);
    await userEvent.keyboard("{Escape}");
    await expect.element(dialog).not.toBeInTheDocument();
  });

  it("checks what is chosen last alone, and nothing once the dialog is closed", async () => {
    const [first, second] = [slowReply(), slowReply()];
    const signals: (AbortSignal | null | undefined)[] = [];
    const replies = [first.reply, second.reply];
    const { choose, says, press, dialog } = await openDialog(() => replies.shift());
    const fake = fetch;
    vi.stubGlobal("fetch", (address: string, init: RequestInit) => {
      if (address.includes("dry_run")) signals.push(init.signal);
      return fake(address, init);
    });
    const aborted = () => signals.map((signal) => signal?.aborted);
    await choose();
    await says("Checking people.csv");
    await expect.element(dialog.getByText(/^If you stop/)).not.toBeInTheDocument();
    drop(aFile("others.csv"));
    await says("Checking others.csv");
    await soon(() => expect(aborted()).toEqual([true, false]));
    await press("Cancel");
    await soon(() => expect(aborted()).toEqual([true, true]));
  });

  it("takes another file when one is done", async () => {
    const { choose, says, press, asked } = await openDialog();
    await choose();
    await press("Add 6 users");
    await says("Added");
    drop(aFile("others.csv"));
    await says("To add");
    expect(asked().map(({ query }) => query.get("dry_run"))).toEqual(["true", "false", "true"]);
  });

  it("says that it broke off, and tries again", async () => {
    const { reply, tell, end } = slowReply();
    let isBroken = true;
    let again: ReturnType<typeof slowReply> | undefined;
    const { choose, says, press, asked } = await openDialog((call) => {
      if (isTrial(call)) return again?.reply ?? linesOf({ result: aResult() });
      return isBroken ? reply : linesOf({ result: aResult() });
    });
    await choose();
    await press("Add 6 users");
    tell({ done: 5, total: 10 });
    end();
    await says(/^The import broke off\. Lines that are done stay done/);
    await says("5 of 10 lines");
    isBroken = false;
    again = slowReply();
    await press("Try again");
    await says("Sending the file");
    again.tell({ result: aResult() });
    again.end();
    await press("Add 6 users");
    await says(/^3 lines failed/);
    expect(asked().map(({ query }) => query.get("dry_run"))).toEqual(["true", "false", "true", "false"]);
  });

  it("may be half done where the service fails, and not where it refuses or the check breaks off", async () => {
    let answer: (call: Call) => unknown = (call) =>
      isTrial(call) ? linesOf({ result: aResult() }) : refuse("INTERNAL_ERROR")();
    const { choose, says, press, asked } = await openDialog((call) => answer(call));
    await choose();
    await press("Add 6 users");
    await says(/^The import broke off/);
    answer = (call) => (isTrial(call) ? linesOf({ result: aResult() }) : refuse("FORBIDDEN")());
    await press("Try again");
    await press("Add 6 users");
    await says("You are not allowed to import files.");
    answer = () => linesOf({ done: 5, total: 10 });
    await press("Try again");
    await says("The file was not imported, and nothing changed. Try again in a moment.");
    expect(asked().map(({ query }) => query.get("dry_run"))).toEqual(["true", "false", "true", "false", "true"]);
  });

  it("has nothing to do where a file changes nothing", async () => {
    const { dialog, choose, says } = await openDialog(() => linesOf({ result: aResult({ added: 0, groups: [] }) }));
    await choose();
    await says("This file changes nothing.");
    await expect.element(dialog.getByRole("button", { name: /^Add/ })).not.toBeInTheDocument();
    await expect.element(dialog.getByRole("list", { name: "What changes" })).not.toBeInTheDocument();
    await expect.element(dialog.getByText(/^The report has all lines/)).not.toBeInTheDocument();
    await expect.element(dialog.getByRole("button", { name: "Choose another file" })).toHaveFocus();
  });

  it("says nothing of what there is none of, once it is done", async () => {
    const none = { failed: 0, failures: [], sheet: { name: "Staff", others: 0 } };
    const { dialog, choose, says, press } = await openDialog((call) =>
      linesOf({ result: aResult(isTrial(call) ? none : { ...none, added: 0, unchanged: 10, groups: [] }) }),
    );
    await choose();
    await press("Add 6 users");
    await says("Added");
    await expect.element(dialog.getByText(/changes nothing|first sheet|lines failed/)).not.toBeInTheDocument();
    expect(dialog.getByRole("list").elements()).toEqual([]);
    await expect.element(dialog.getByRole("button", { name: /^Add/ })).not.toBeInTheDocument();
  });

  it("says that there are more lines than it lists", async () => {
    const { choose, dialog } = await openDialog(() => linesOf({ result: aResult({ failed: 250 }) }));
    await choose();
    await expect.element(dialog.getByText("The report has all lines that fail, the list the first 3.")).toBeVisible();
  });
});

describe("a file that cannot be imported", () => {
  it("is refused before it is sent", async () => {
    const { choose, says, asked, dialog } = await openDialog();
    await choose(aFile("people.txt"));
    await says("Only csv, xls and xlsx files can be imported.");
    await choose(aFile("people.csv", ""));
    await says("This file has no lines to import.");
    await choose(aFile("people.csv", "a".repeat(limits.importBytes + 1)));
    await says("This file is too large. It can have up to 10 MB.");
    drop(aFile(), aFile());
    await says("Choose one file at a time.");
    expect(asked()).toEqual([]);
    drop(aFile("people.xls"));
    await says("To add");
    await expect.element(dialog.getByText("Choose one file at a time.")).not.toBeInTheDocument();
  });

  it("can be chosen one at a time, of these kinds", async () => {
    const { input, dialog } = await openDialog();
    expect([input().multiple, input().accept]).toEqual([false, ".csv,.xls,.xlsx"]);
    // As some browsers do when none is chosen after all.
    input().dispatchEvent(new Event("change", { bubbles: true }));
    await expect.element(dialog.getByText("Choose one file at a time.")).not.toBeInTheDocument();
  });

  it.each([
    ["FORBIDDEN", "You are not allowed to import files."],
    ["IMPORT_GROUP_COLUMN_MISSING", "This file has no column named “group”. The first line names the columns."],
    ["IMPORT_TOO_MANY_LINES", "A file can have at most 5,000 lines. Split it."],
    ["INTERNAL_ERROR", "The file was not imported, and nothing changed. Try again in a moment."],
  ] as const)("is refused by the service with %s", async (code, words) => {
    const { choose, says, dialog } = await openDialog(refuse(code));
    await choose();
    await says(words);
    await expect.element(dialog.getByRole("button", { name: "Choose another file" })).toHaveFocus();
  });
});
