import { expect, it, onTestFinished, vi } from "vitest";
import { Turnstile } from "./turnstile.ts";

it("loads its script again with the next try, if it did not load", async () => {
  let isBlocked = true;
  const render = vi.fn((_: HTMLElement, { callback }: { callback: (token: string) => void }) => {
    callback("t0ken");
    return "1";
  });
  vi.spyOn(document.head, "append").mockImplementation((script) => {
    if (!isBlocked) window.turnstile = { render, reset: () => undefined, remove: () => undefined };
    (script as HTMLScriptElement).dispatchEvent(new Event(isBlocked ? "error" : "load"));
  });
  const gone = new AbortController();
  onTestFinished(() => {
    vi.restoreAllMocks();
    delete window.turnstile;
    gone.abort();
  });
  const check = new Turnstile("k3y");
  await check.show(document.createElement("div"), gone.signal);
  await expect(check.take()).rejects.toThrow("challenges.cloudflare.com");
  isBlocked = false;
  expect(await check.take()).toBe("t0ken");
  expect(render).toHaveBeenCalledOnce();
});
