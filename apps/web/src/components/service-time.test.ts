import { beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { noteServiceTime, serviceNow } from "./service-time.ts";

const HERE = Date.UTC(2026, 2, 1, 9);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: HERE });
  onTestFinished(() => {
    noteServiceTime(HERE);
    vi.useRealTimers();
  });
});

it("is the browser's time while the service's is not far from it", () => {
  noteServiceTime(HERE - 900);
  expect(serviceNow()).toBe(HERE);
  noteServiceTime(HERE + 4_000);
  expect(serviceNow()).toBe(HERE);
});

it("is the service's where that differs, and does not waver with each reply", () => {
  noteServiceTime(HERE + 3_600_000);
  expect(serviceNow()).toBe(HERE + 3_600_000);
  noteServiceTime(HERE + 3_599_000);
  expect(serviceNow()).toBe(HERE + 3_600_000);
  vi.setSystemTime(HERE + 1_000);
  expect(serviceNow()).toBe(HERE + 3_601_000);
  noteServiceTime(HERE + 1_200);
  expect(serviceNow()).toBe(HERE + 1_000);
});
