import { expect, it, vi } from "vitest";
import { render } from "vitest-browser-react";
import { useTypedSearch } from "./use-typed-search.ts";

function Field({ address, onSettled }: { address: string; onSettled: (search: string) => void }) {
  const { search, setSearch, leaveSearch } = useTypedSearch(address, onSettled);
  return (
    <input aria-label="Search" value={search} onBlur={leaveSearch} onChange={({ target }) => setSearch(target.value)} />
  );
}

/** A search field with an address that changes only when `change` says so. */
async function open() {
  const settled = vi.fn<(search: string) => void>();
  const screen = await render(<Field address="" onSettled={settled} />);
  const field = screen.getByLabelText("Search");
  return {
    field,
    settled,
    async type(text: string) {
      await field.fill(text);
      await vi.waitFor(() => expect(settled).toHaveBeenLastCalledWith(text));
    },
    change: (address: string) => screen.rerender(<Field address={address} onSettled={settled} />),
  };
}

it("keeps what is typed while what was typed before is on its way to the address", async () => {
  const { field, type, change } = await open();
  await type("l");
  await field.fill("lee");
  await change("l");
  await expect.element(field).toHaveValue("lee");
});

it("follows the address when it changes in another way", async () => {
  const { field, type, change } = await open();
  await type("lee");
  await change("lee");
  await change("");
  await expect.element(field).toHaveValue("");
  await change("lee");
  await expect.element(field).toHaveValue("lee");
});

it("is in the address before what is pressed next opens, and not once more after that", async () => {
  vi.useFakeTimers();
  const { field, settled, change } = await open();
  await field.fill("lee ");
  expect(settled).not.toHaveBeenCalled();
  field.element().blur();
  expect(settled).toHaveBeenCalledExactlyOnceWith("lee");
  await change("lee");
  await vi.advanceTimersByTimeAsync(1_000);
  expect(settled).toHaveBeenCalledOnce();
  vi.useRealTimers();
});
