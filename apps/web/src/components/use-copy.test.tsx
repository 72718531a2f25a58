import { render } from "vitest-browser-react";
import { expect, it, onTestFinished, vi } from "vitest";
import { useCopy } from "./use-copy.ts";

function CopyButton() {
  const { isCopied, copy } = useCopy();
  return <button onClick={() => copy("7f3a91c2")}>{isCopied ? "Copied" : "Copy"}</button>;
}

/** Two frames, which no fake timer holds up. */
const rendered = () => new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())));

it("says for two seconds that something was copied", async () => {
  const write = vi.spyOn(navigator.clipboard, "writeText").mockResolvedValue();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  onTestFinished(() => write.mockRestore());
  const button = (await render(<CopyButton />)).getByRole("button");
  button.element().dispatchEvent(new MouseEvent("click", { bubbles: true }));
  await rendered();
  await vi.advanceTimersByTimeAsync(1_990);
  await rendered();
  expect(button.element().textContent).toBe("Copied");
  await vi.advanceTimersByTimeAsync(20);
  await rendered();
  expect(button.element().textContent).toBe("Copy");
});
