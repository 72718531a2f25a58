import { beforeEach, expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { InTestApp } from "../../testing/InTestApp.tsx";
import { TimeLeft } from "./TimeLeft.tsx";
import "../../en/display.ts";

beforeEach(() => page.viewport(1280, 800));

const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000 + 5_000).toISOString();

async function show(props: Partial<Parameters<typeof TimeLeft>[0]>) {
  const onExtend = vi.fn<() => void>();
  const screen = await render(
    <InTestApp>
      <TimeLeft stopsAt={inMinutes(24)} because="inactivity" onExtend={onExtend} {...props} />
    </InTestApp>,
  );
  return { screen, onExtend, extend: screen.getByRole("button", { name: "+1 h" }) };
}

it("says how long the device has, why it stops, and lets it run longer at a press", async () => {
  const { screen, extend, onExtend } = await show({});
  const timer = screen.getByRole("timer", { name: /^24:0\d left/ });
  await expect.element(timer).toBeVisible();
  await expect.element(timer).toHaveAccessibleDescription(/when nobody uses it/);
  expect(page.getByRole("status").elements()).toEqual([]);
  await extend.click();
  expect(onExtend).toHaveBeenCalledOnce();
});

it("stays where it was pressed, though its clock may be behind the service's", async () => {
  const { extend } = await show({ stopsAt: inMinutes(59.95) });
  expect(extend.elements()).toHaveLength(1);
});

it.each([
  ["more than an hour is left", { stopsAt: inMinutes(90) }],
  ["a budget is used up", { because: "budget_used_up" as const }],
  ["one may not", { onExtend: undefined }],
])("offers no hour more when %s", async (_, props) => {
  const { screen, extend } = await show(props);
  await expect.element(screen.getByRole("timer")).toBeVisible();
  await expect.element(extend).not.toBeInTheDocument();
});

it.each([
  ["budget_used_up", "Budget used up", "See budgets", "/administration/dashboard#budgets"],
  ["minutes_used_up", "Free minutes used up", "Choose a plan", "/administration/billing"],
  ["license_expired", "Trial or license ended", "Choose a plan", "/administration/billing"],
  ["plan_suspended", "Plan suspended", "Pay", "/administration/invoices"],
  ["plan_ended", "Plan ended", "Choose a plan", "/administration/billing"],
] as const)("says at once that a stop was announced, and what can be done: %s", async (because, words, act, href) => {
  await page.viewport(390, 800);
  const { screen, extend } = await show({ because, stopsAt: inMinutes(9), decides: true });
  await expect.element(screen.getByText(words)).toBeVisible();
  await expect.element(screen.getByRole("link", { name: act })).toHaveAttribute("href", href);
  await expect.element(screen.getByText("Ask your manager")).not.toBeInTheDocument();
  expect(extend.elements()).toEqual([]);
  // Long before little is left.
  await expect.poll(() => page.getByRole("status").query()?.textContent).toMatch(/A manager can|A\smanager\scan/);
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
  await screen.unmount();
  const user = await show({ because, stopsAt: inMinutes(9) });
  await expect.element(user.screen.getByText("Ask your manager")).toBeVisible();
  expect(user.screen.getByRole("link").elements()).toEqual([]);
});

it.each([
  [24, 0],
  [4, 1],
])("has room for it on a phone with %d minutes left: %d", async (minutes, count) => {
  await page.viewport(390, 800);
  const { screen, extend } = await show({ stopsAt: inMinutes(minutes) });
  await expect.element(screen.getByRole("timer")).toBeVisible();
  expect(extend.elements()).toHaveLength(count);
});

it("tells screen readers when little is left", async () => {
  await show({ stopsAt: inMinutes(4) });
  await expect.poll(() => page.getByRole("status").query()?.textContent).toMatch(/^4:0\d\sleft\sbefore\sthis\sdevice/);
});
