import { render } from "vitest-browser-react";
import { expect, it, vi } from "vitest";
import { userEvent } from "vitest/browser";
import { InTestApp } from "../testing/InTestApp.tsx";
import { DataTable } from "./DataTable.tsx";
import type { DataColumn, Sorting } from "./TableHeader.tsx";

interface Row {
  id: string;
  name: string;
}
const rows: Row[] = [
  { id: "1", name: "one" },
  { id: "2", name: "two" },
];
const columns: DataColumn<Row>[] = [
  { id: "name", label: "Name", width: "50%", isSortable: true, cell: ({ name }) => name },
  { id: "id", label: "ID", width: "50%", cell: ({ id }) => id },
];

async function open(props: { rows?: Row[] | undefined; selected?: string[]; instead?: React.ReactNode } = {}) {
  const heard = {
    onSort: vi.fn<(sorting: Sorting) => void>(),
    onSelect: vi.fn<(selected: ReadonlySet<string>) => void>(),
    onOpen: vi.fn<(row: Row) => void>(),
  };
  const screen = await render(
    <InTestApp>
      <DataTable<Row>
        label="Rows"
        columns={columns}
        rows={"rows" in props ? props.rows : rows}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        sorting={{ id: "name", desc: true }}
        selected={new Set(props.selected)}
        minWidth={300}
        pageSize={5}
        instead={props.instead}
        {...heard}
      />
    </InTestApp>,
  );
  return { screen, ...heard };
}

it("says by what it is sorted, turns that round, and sorts by nothing else", async () => {
  const { screen, onSort } = await open();
  await expect.element(screen.getByRole("columnheader", { name: "Name" })).toHaveAttribute("aria-sort", "descending");
  await screen.getByRole("button", { name: "Name" }).click();
  expect(onSort.mock.calls).toEqual([[{ id: "name", desc: false }]]);
  await screen.getByRole("columnheader", { name: "ID" }).click();
  expect(onSort).toHaveBeenCalledOnce();
});

it("selects one row, and all of them", async () => {
  const { screen, onSelect } = await open({ selected: ["1"] });
  await expect.element(screen.getByRole("row", { name: /one/ })).toHaveAttribute("aria-selected", "true");
  await screen.getByRole("checkbox", { name: "Select two" }).click();
  await screen.getByRole("checkbox", { name: "Select all rows" }).click();
  expect(onSelect.mock.calls.map(([ids]) => [...ids].toSorted())).toEqual([
    ["1", "2"],
    ["1", "2"],
  ]);
});

it("opens a row with a double click and with Enter, but not by ticking it", async () => {
  const { screen, onOpen } = await open();
  await screen.getByRole("cell", { name: "one" }).dblClick();
  const row = screen.getByRole("row", { name: /two/ }).element() as HTMLElement;
  row.focus();
  row.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
  await screen.getByRole("checkbox", { name: "Select two" }).dblClick();
  expect(onOpen.mock.calls).toEqual([[rows[0]], [rows[1]]]);
});

it("shows which row the keyboard is at", async () => {
  const { screen } = await open();
  await screen.getByRole("checkbox", { name: "Select one" }).click();
  await userEvent.keyboard("{Tab}");
  const row = screen.getByRole("row", { name: /two/ }).element();
  expect(document.activeElement).toBe(row);
  expect(getComputedStyle(row)).toMatchObject({ outlineStyle: "solid", outlineWidth: "2px" });
});

it("shows shapes of rows only when the first ones take a while", async () => {
  const { screen } = await open({ rows: undefined });
  await expect.element(screen.getByRole("table")).toHaveAttribute("aria-busy", "true");
  expect(document.querySelectorAll("tbody tr").length).toBe(0);
  await vi.waitFor(() => expect(document.querySelectorAll("tbody tr").length).toBe(5));
});

it("has room for what stands in place of rows", async () => {
  const { screen } = await open({ rows: [], instead: <p>Nothing here</p> });
  await expect.element(screen.getByText("Nothing here")).toBeVisible();
});
