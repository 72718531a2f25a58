import { AppError, type ScenarioRun } from "@terrarium/contract";
import { afterEach, expect, it, onTestFinished, vi } from "vitest";
import { userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { closeSnack, readSnacks } from "../../../../components/snack-queue.ts";
import { queryClient } from "../../../../session/client.ts";
import { anInstance } from "../../../../testing/factories.ts";
import { fakeService, refuse } from "../../../../testing/fake-service.ts";
import { framed } from "../../testing/Framed.tsx";
import Scenario from "./Scenario.tsx";

afterEach(() => {
  queryClient.clear();
  for (const { id } of readSnacks()) closeSnack(id);
});

const aRun = (fields: Partial<ScenarioRun> = {}): ScenarioRun => ({
  uuid: "5f0c6c0e-3c1b-4c3e-9d9b-0a6c2f6f7a01",
  name: "The way home",
  status: "running",
  started_at: "2026-03-02T09:00:00.000Z",
  elapsed_ms: 11_000,
  duration_ms: 20_000,
  round: 1,
  rounds: 2,
  step: 1,
  steps: [
    { name: null, kinds: ["battery", "network"], at_ms: 0, duration_ms: 0 },
    { name: "news", kinds: ["sms"], at_ms: 10_000, duration_ms: 0 },
  ],
  ...fields,
});

/** The tool of a device whose service answers like this; `run` is what runs on it. */
async function show(answers: Parameters<typeof fakeService>[0] = {}, first: ScenarioRun | null = null) {
  let run = first;
  const service = fakeService({
    "GET /v1/instances/:uuid/scenario": () => ({ run }),
    "POST /v1/instances/:uuid/scenario": () => (run = aRun()),
    "PATCH /v1/instances/:uuid/scenario": ({ body }) => (run = aRun(body as object)),
    ...answers,
  });
  const screen = await render(framed(<Scenario device={anInstance({ name: "fern" })} />));
  const editor = screen.getByRole("textbox", { name: "Scenario for fern" });
  return {
    screen,
    editor,
    service,
    bodies: (method: string) => service.to(method, /scenario$/).map(({ body }) => body),
  };
}

it("runs what is written, shows which step it is at, and pauses, goes on and stops", async () => {
  const { screen, editor, bodies } = await show();
  await editor.fill("steps:\n  - battery: { level: 9 }\n");
  await screen.getByRole("button", { name: "Run" }).click();
  const run = screen.getByRole("region", { name: "The run" });
  await expect.element(run.getByText("The way home")).toBeVisible();
  await expect.element(run.getByText("Running · round 1 of 2")).toBeVisible();
  await expect.element(run.getByText("0:11 / 0:20")).toBeVisible();
  expect(bodies("POST")).toEqual([{ scenario: { steps: [{ battery: { level: 9 } }] } }]);
  const steps = run.getByRole("listitem");
  await expect.element(steps.first()).toHaveTextContent("0:00battery, network");
  await expect.element(steps.last()).toHaveTextContent("0:10newsmessage");
  await expect.element(steps.last()).toHaveAttribute("aria-current", "step");
  await expect.element(steps.first()).not.toHaveAttribute("aria-current");
  await expect.element(screen.getByRole("progressbar")).toHaveAttribute("aria-valuenow", "55");
  await screen.getByRole("button", { name: "Pause" }).click();
  await expect.element(run.getByText("Paused · round 1 of 2")).toBeVisible();
  await screen.getByRole("button", { name: "Go on" }).click();
  await screen.getByRole("button", { name: "End the run" }).click();
  await expect.element(run.getByText("Stopped · round 1 of 2")).toBeVisible();
  expect(bodies("PATCH")).toEqual([{ status: "paused" }, { status: "running" }, { status: "stopped" }]);
  await expect.element(steps.last()).not.toHaveAttribute("aria-current");
  await expect.element(screen.getByRole("button", { name: "Run" })).toBeVisible();
});

it("says what is wrong on which line, and leads there", async () => {
  const { screen, editor, bodies } = await show();
  await editor.fill("steps:\n  - battery: { level: 9 }\n  - battery: { level: 900 }\n");
  await screen.getByRole("button", { name: "Run" }).click();
  await screen.getByRole("button", { name: /^Line 3 .*battery.level/ }).click();
  await expect.element(editor).toHaveFocus();
  await expect.element(editor).toHaveAttribute("aria-invalid", "true");
  const { value, selectionStart, selectionEnd } = editor.element() as HTMLTextAreaElement;
  expect(value.slice(selectionStart, selectionEnd)).toBe("  - battery: { level: 900 }");
  expect(bodies("POST")).toEqual([]);
  await userEvent.keyboard("{End} # too much");
  await expect.element(screen.getByRole("alert")).not.toBeInTheDocument();
});

it("says what the device lacks, and which other refusal there was", async () => {
  const details = { step: "1", name: "news", kind: "sms" };
  let refusal = new AppError("SCENARIO_NOT_POSSIBLE", { details });
  const { screen } = await show({
    "POST /v1/instances/:uuid/scenario": () => {
      throw refusal;
    },
  });
  const begin = screen.getByRole("button", { name: "Run" });
  await begin.click();
  const alert = screen.getByRole("alert");
  await expect.element(alert).toHaveTextContent("This device lacks what step 1, “news”, needs: message.");
  refusal = new AppError("SCENARIO_RUNNING");
  await begin.click();
  await expect.element(alert).toHaveTextContent("A scenario runs on this virtual device already.");
});

it("takes a file, gives it back, and takes what people have set", async () => {
  const { screen, editor } = await show({
    "GET /v1/instances/:uuid/scenario/recorded": () => ({ scenario: { steps: [{ battery: { level: 42 } }] } }),
  });
  const saved: string[] = [];
  const click = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download);
  });
  onTestFinished(() => click.mockRestore());
  const chooser = screen.getByLabelText("Open a file").elements();
  const input = chooser.find((each) => each instanceof HTMLInputElement);
  await userEvent.upload(input as HTMLElement, new File(["steps: []"], "mine.yaml"));
  await expect.element(editor).toHaveValue("steps: []");
  await screen.getByRole("button", { name: "Download this file" }).click();
  expect(saved).toEqual(["fern-scenario.yaml"]);
  await screen.getByRole("button", { name: "From what was set" }).click();
  await expect.element(editor).toHaveValue("steps:\n  - battery:\n      level: 42\n");
});

it("says that nobody has set anything, and keeps what is written", async () => {
  const { screen, editor } = await show({ "GET /v1/instances/:uuid/scenario/recorded": () => ({ scenario: null }) });
  await editor.fill("steps:");
  await screen.getByRole("button", { name: "From what was set" }).click();
  await vi.waitFor(() =>
    expect(
      readSnacks()
        .map(({ message }) => message)
        .join(),
    ).toMatch(/^Nobody has set anything/),
  );
  await expect.element(editor).toHaveValue("steps:");
});

it("says that it is not known whether one runs", async () => {
  const { screen } = await show({ "GET /v1/instances/:uuid/scenario": refuse("SERVICE_UNAVAILABLE") });
  await expect
    .element(screen.getByRole("alert"))
    .toHaveTextContent("Whether a scenario runs is not known at the moment.");
});
