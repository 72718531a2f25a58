import { useEffect } from "react";
import { useLocation, useNavigate } from "react-router";
import { AppError } from "@terrarium/sdk";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { page as browserPage, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { InTestApp } from "../../testing/InTestApp.tsx";
import { typeAtOnce } from "../../testing/type-at-once.ts";
import { nameless } from "../../testing/names.ts";
import type { ListAddress } from "./list-address.ts";
import { declareList, type FilterValues, type ListAsk, type RowAction } from "./list.ts";
import { ListView } from "./ListView.tsx";
import { useList } from "./use-list.ts";

interface Row {
  id: string;
  name: string;
  /** There is nothing more to do with it, and it leaves. */
  isOver?: boolean;
}
const threeRows: readonly Row[] = ["one", "two", "three"].map((name) => ({ id: name, name }));
const Glyph = () => null;
/** As long as a row stands there that is over. */
const LINGER_MS = 1500;

/** A list of `rows`, its page, and what it asked for and did. */
async function open({
  address = "/",
  rows = (): readonly Row[] => threeRows,
  count = 42,
  isBare = false,
  answers = Promise.resolve(),
} = {}) {
  const asked: (ListAsk & { filters: FilterValues })[] = [];
  const opened = vi.fn<(row: Row) => void>();
  const eaten = vi.fn<(name: string) => void>();
  const stopped = vi.fn<(rows: readonly Row[]) => void>();
  const actions = ({ name }: Row): RowAction[] => [
    { id: "eat", glyph: Glyph, label: `Eat ${name}`, short: "Eat", run: () => eaten(name), isMain: true },
    { id: "peel", glyph: Glyph, label: `Peel ${name}`, short: "Peel", run: () => undefined },
    { id: "sell", glyph: Glyph, label: `Sell ${name}`, short: "Sell", reason: "Nobody buys it." },
  ];
  const list = declareList<Row, undefined>({
    key: "test",
    query: (ask, _, filters) => ({
      queryKey: ["test", ask, filters],
      queryFn: async () => {
        asked.push({ ...ask, filters });
        await answers;
        const results = [...rows()];
        return { count: results.length && count, results };
      },
    }),
    idOf: ({ id }) => id,
    nameOf: ({ name }) => name,
    columns: [
      { id: "name", flexWidth: 8, shown: "always", sortBy: "name", cell: ({ name }) => name },
      { id: "time", flexWidth: 4, shown: "first", sortBy: "created_at", isNewestFirst: true, cell: () => "now" },
      { id: "code", flexWidth: 4, cell: ({ id }) => `code ${id}` },
    ],
    ordering: "-created_at",
    pageSizes: [3, 5],
    pageSize: 3,
    filters: [
      {
        id: "kind",
        label: () => "Kind",
        choices: [
          { value: "all", label: () => "All" },
          { value: "ripe", label: () => "Ripe" },
        ],
        isRemembered: true,
      },
    ],
    card: ({ name }) => ({
      title: name,
      caption: "fruit",
      facts: [<span key="taste">sweet</span>, <Glyph key="none" />],
    }),
    isOver: ({ isOver = false }) => isOver,
    ...(!isBare && {
      actions: (row) => (row.isOver ? [] : actions(row)),
      bulk: (chosen) => [{ glyph: Glyph, label: "Stop all", run: () => stopped(chosen) }],
    }),
    open: (row) => opened(row),
    words: () => ({
      label: "Rows",
      search: "Filter",
      column: (id) => id,
      columnsLead: "Always",
      news: (news) => `${news} new`,
      noMatch: ({ search, filters }) => ({ title: `Nothing like ${search} in ${filters.kind}`, help: "" }),
      failed: { title: "Did not load", help: "Safe" },
    }),
  });
  const at = { address: "", back: () => undefined as void, go: vi.fn<(change: Partial<ListAddress>) => void>() };
  const Page = () => {
    const { search } = useLocation();
    const navigate = useNavigate();
    const state = useList(list, undefined);
    useEffect(() => {
      at.address = search;
      at.go.mockImplementation(state.go);
      at.back = () => void navigate(-1);
    });
    return <ListView state={state} empty={<p>None yet</p>} />;
  };
  const screen = await render(
    <InTestApp address={address}>
      <Page />
    </InTestApp>,
  );
  return { screen, asked, opened, eaten, stopped, at };
}

const focused = () => document.activeElement;
const rowNamed = (name: string) => document.querySelector(`tr[data-id=${name}]`);

beforeEach(async () => {
  localStorage.clear();
  await browserPage.viewport(1280, 900);
});

it("gives what hidden columns leave to the first one, and no more than they need to the tick boxes", async () => {
  const { screen } = await open();
  const width = (name: string) =>
    (screen.getByRole("columnheader", { name, exact: true }).element() as HTMLElement).offsetWidth;
  await expect.element(screen.getByRole("row", { name: /one/ })).toBeVisible();
  const table = screen.getByRole("grid").element() as HTMLElement;
  const ticks = screen.getByRole("checkbox", { name: "Select all rows" }).element().closest("th");
  expect(ticks?.offsetWidth).toBe(44);
  expect(width("time") / table.offsetWidth).toBeCloseTo(0.2, 2);
  expect(width("name")).toBeGreaterThan(0.4 * table.offsetWidth);
});

describe("the address of a list", () => {
  it("says page, order, search and filters, and asks for just that", async () => {
    const { screen, asked } = await open({ address: "/?page=2&ordering=name&search=pear&kind=ripe" });
    await expect.element(screen.getByRole("row", { name: /one/ })).toBeVisible();
    expect(asked).toEqual([{ page: 2, page_size: 3, ordering: "name", search: "pear", filters: { kind: "ripe" } }]);
    await expect.element(screen.getByRole("textbox", { name: "Filter" })).toHaveValue("pear");
    await expect.element(screen.getByRole("columnheader", { name: "name" })).toHaveAttribute("aria-sort", "ascending");
  });

  it("changes with the list, and the way back leads through its pages and orders", async () => {
    const { screen, at } = await open();
    await screen.getByRole("button", { name: "Next page" }).click();
    await expect.poll(() => at.address).toBe("?page=2");
    await screen.getByRole("button", { name: "name" }).click();
    await expect.poll(() => at.address).toBe("?ordering=name");
    at.back();
    await expect.poll(() => at.address).toBe("?page=2");
    await expect.element(screen.getByText("4–6 of 42")).toBeVisible();
  });

  it("takes what is typed once the keys rest, without a step of its own to go back", async () => {
    const { screen, at, asked } = await open();
    await screen.getByRole("button", { name: "Next page" }).click();
    await expect.poll(() => at.address).toBe("?page=2");
    const field = screen.getByRole("textbox", { name: "Filter" });
    typeAtOnce(field.element() as HTMLInputElement, "pea", "pear ");
    await expect.poll(() => at.address).toBe("?search=pear");
    await expect.element(field).toHaveValue("pear ");
    at.back();
    await expect.poll(() => at.address).toBe("");
    await expect.element(field).toHaveValue("");
    expect(asked.map(({ search }) => search)).not.toContain("pea");
  });

  it("keeps what was chosen a moment before, which is not shown yet", async () => {
    const { at } = await open({ address: "/?ordering=name" });
    at.go({ filters: { kind: "ripe" } });
    at.go({ search: "plum" });
    await expect.poll(() => at.address).toBe("?ordering=name&kind=ripe&search=plum");
    at.back();
    at.back();
    await expect.poll(() => at.address).toBe("?ordering=name");
    at.go({ search: "plum" });
    await expect.poll(() => at.address).toBe("?ordering=name&search=plum");
  });

  it("leads to the last page that has rows when it asks for too much", async () => {
    const rows = vi.fn<() => readonly Row[]>(() => threeRows).mockReturnValueOnce([]);
    const { screen, at } = await open({ address: "/?page=9", rows, count: 3 });
    await expect.element(screen.getByRole("row", { name: /one/ })).toBeVisible();
    expect(at.address).toBe("");
  });
});

describe("the order of a list", () => {
  it("begins at A for text and at the newest for times, and turns round", async () => {
    const { screen, at } = await open();
    const presses = [
      ["name", "?ordering=name"],
      ["name", "?ordering=-name"],
      ["time", ""],
      ["time", "?ordering=created_at"],
    ] as const;
    for (const [name, address] of presses) {
      await screen.getByRole("button", { name }).click();
      await expect.poll(() => at.address).toBe(address);
    }
    expect(screen.getByRole("columnheader", { name: "code" }).elements()).toEqual([]);
  });
});

describe("what is selected", () => {
  it("is acted on together, and forgotten on another page", async () => {
    const { screen, stopped } = await open();
    await screen.getByRole("checkbox", { name: "Select two" }).click();
    await screen.getByRole("checkbox", { name: "Select all rows" }).click();
    await expect.element(screen.getByText("3 selected")).toBeVisible();
    await screen.getByRole("checkbox", { name: "Select one" }).click();
    await screen.getByRole("button", { name: "Stop all" }).click();
    expect(stopped).toHaveBeenCalledWith(threeRows.slice(1));
    await screen.getByRole("button", { name: "Next page" }).click();
    await expect.element(screen.getByText("2 selected")).not.toBeInTheDocument();
    await expect.element(screen.getByRole("checkbox", { name: "Select two" })).not.toBeChecked();
  });

  it("grows with Shift to all rows from the last one on, whichever way, and gives back one", async () => {
    const { screen } = await open();
    const box = (name: string) => screen.getByRole("checkbox", { name: `Select ${name}` });
    const chosen = () =>
      threeRows.flatMap(({ name }) => ((box(name).element() as HTMLInputElement).checked ? [name] : []));
    await box("three").click();
    await box("one").click({ modifiers: ["Shift"] });
    await expect.poll(chosen).toEqual(["one", "two", "three"]);
    await box("two").click();
    await expect.poll(chosen).toEqual(["one", "three"]);
    (rowNamed("three") as HTMLElement).focus();
    await userEvent.keyboard("{Shift>} {/Shift}");
    await expect.poll(chosen).toEqual(["one", "two", "three"]);
  });

  it("begins where a row is chosen with Shift before any other", async () => {
    const { screen } = await open();
    await screen.getByRole("checkbox", { name: "Select two" }).click({ modifiers: ["Shift"] });
    await expect.element(screen.getByText("1 selected")).toBeVisible();
  });

  it("is nothing where a list has nothing for it", async () => {
    const { screen } = await open({ isBare: true });
    await expect.element(screen.getByRole("row", { name: /one/ })).toBeVisible();
    expect(screen.getByRole("checkbox").elements()).toEqual([]);
    expect(screen.getByRole("columnheader").elements().length).toBe(2);
  });
});

describe("the keys of a list", () => {
  it("reach the table with one stop, and leave it with the next", async () => {
    const { screen } = await open();
    await screen.getByRole("button", { name: "Columns" }).click();
    await userEvent.keyboard("{Escape}");
    await expect.poll(() => focused()?.textContent).toBe("Columns");
    await userEvent.keyboard("{Tab}");
    expect(focused()).toBe(rowNamed("one"));
    expect(getComputedStyle(focused() as Element)).toMatchObject({ outlineStyle: "solid", outlineWidth: "2px" });
    await userEvent.keyboard("{Tab}");
    expect(focused()?.closest("table")).toBeNull();
    await userEvent.keyboard("{Shift>}{Tab}{/Shift}");
    expect(focused()).toBe(rowNamed("one"));
  });

  it("move between rows and along one, open it, select it and list its actions", async () => {
    const { screen, opened, eaten } = await open();
    await expect.element(screen.getByRole("row", { name: /one/ })).toBeVisible();
    (rowNamed("one") as HTMLElement).focus();
    await userEvent.keyboard("{ArrowDown}{Enter}");
    expect(opened.mock.calls).toEqual([[threeRows[1]]]);
    await userEvent.keyboard(" ");
    await expect.element(screen.getByRole("row", { name: /two/ })).toHaveAttribute("aria-selected", "true");
    await userEvent.keyboard("{ArrowRight}{ArrowRight}");
    expect(focused()).toHaveAccessibleName("Eat two");
    await userEvent.keyboard("{ArrowDown}");
    expect(focused()).toHaveAccessibleName("Eat three");
    await userEvent.keyboard("{Enter}");
    expect(eaten.mock.calls).toEqual([["three"]]);
    await userEvent.keyboard("{Home}{Shift>}{F10}{/Shift}");
    const menu = screen.getByRole("menu", { name: "More actions for three" });
    expect(
      menu
        .getByRole("menuitem")
        .elements()
        .map((item) => item.textContent),
    ).toEqual(["Eat", "Peel"]);
    await userEvent.keyboard("{Escape}");
    await expect.poll(focused).toBe(rowNamed("three"));
    await userEvent.keyboard("{ArrowUp}{ArrowUp}{ArrowUp}");
    expect(focused()).toHaveAccessibleName("Select all rows");
    expect(opened).toHaveBeenCalledOnce();
  });

  it("stay where they are when their row leaves", async () => {
    const rows = vi.fn<() => readonly Row[]>(() => [...threeRows]);
    const { screen } = await open({ rows });
    await expect.element(screen.getByRole("row", { name: /one/ })).toBeVisible();
    (rowNamed("two") as HTMLElement).focus();
    rows.mockReturnValue(threeRows.filter(({ id }) => id !== "two"));
    (screen.getByRole("button", { name: "Refresh" }).element() as HTMLElement).dispatchEvent(
      new MouseEvent("click", { bubbles: true }),
    );
    await expect.poll(focused).toBe(rowNamed("three"));
  });
});

describe("where there are no rows", () => {
  it("shows what is there for a first visit in place of all of it", async () => {
    const { screen } = await open({ rows: () => [] });
    await expect.element(screen.getByText("None yet")).toBeVisible();
    await expect.element(screen.getByRole("textbox", { name: "Filter" })).not.toBeInTheDocument();
    await expect.element(screen.getByRole("grid")).not.toBeInTheDocument();
  });

  it("names what was sought, and clears it", async () => {
    const { screen, at } = await open({ address: "/?search=kiwi&kind=ripe", rows: () => [] });
    await expect.element(screen.getByText("Nothing like kiwi in ripe")).toBeVisible();
    await screen.getByRole("button", { name: "Clear the filter" }).click();
    await expect.element(screen.getByText("None yet")).toBeVisible();
    expect(at.address).toBe("");
  });

  it("says what is safe when the service refuses, and empties the table", async () => {
    const rows = vi.fn<() => readonly Row[]>(() => threeRows);
    const { screen } = await open({ rows });
    await expect.element(screen.getByRole("row", { name: /one/ })).toBeVisible();
    rows.mockImplementation(() => {
      throw new AppError("INTERNAL_ERROR");
    });
    await screen.getByRole("button", { name: "Refresh" }).click();
    await expect.element(screen.getByRole("alert").getByText("Did not load")).toBeVisible();
    await expect.element(screen.getByRole("row", { name: /one/ })).not.toBeInTheDocument();
  });

  it("keeps what it knows while the service cannot be reached", async () => {
    const rows = vi.fn<() => readonly Row[]>(() => threeRows);
    const { screen, asked } = await open({ rows });
    await expect.element(screen.getByRole("row", { name: /one/ })).toBeVisible();
    rows.mockImplementation(() => {
      throw new AppError("SERVICE_UNAVAILABLE");
    });
    await screen.getByRole("button", { name: "Refresh" }).click();
    await expect.poll(() => asked.length).toBe(2);
    await expect.element(screen.getByRole("row", { name: /one/ })).toBeVisible();
    expect(screen.getByRole("alert").elements()).toEqual([]);
  });
});

describe("what is remembered of a list", () => {
  it("is its columns and the filters that say so", async () => {
    const { screen, asked } = await open();
    await screen.getByRole("button", { name: "Columns" }).click();
    const dialog = screen.getByRole("dialog", { name: "Columns" });
    await expect.element(dialog.getByRole("checkbox", { name: "name" })).toBeDisabled();
    await dialog.getByRole("checkbox", { name: "code" }).click();
    await dialog.getByRole("checkbox", { name: "time" }).click();
    await dialog.getByRole("button", { name: "Ripe" }).click();
    await dialog.getByRole("button", { name: "Apply" }).click();
    await expect.element(screen.getByRole("gridcell", { name: "code one" })).toBeVisible();
    await expect.element(screen.getByRole("columnheader", { name: "time" })).not.toBeInTheDocument();
    await expect.poll(() => asked.at(-1)?.filters).toEqual({ kind: "ripe" });
    expect(JSON.parse(localStorage.getItem("vd.pref.test-table") ?? "")).toEqual({
      version: 2,
      value: { columns: ["name", "code"], filters: { kind: "ripe" } },
    });
  });
});

describe("a row that is over", () => {
  /** A list whose second row ends when it is said; `leave` lets the time pass in which its end is seen. */
  async function openWithEnd() {
    const timers = vi.spyOn(globalThis, "setTimeout");
    onTestFinished(() => timers.mockRestore());
    const rows = vi.fn<() => readonly Row[]>(() => threeRows);
    const opened = await open({ rows });
    await expect.element(opened.screen.getByText("two").first()).toBeVisible();
    await opened.screen.getByPlaceholder("Filter").hover();
    const refresh = () =>
      opened.screen
        .getByRole("button", { name: "Refresh" })
        .element()
        .dispatchEvent(new MouseEvent("click", { bubbles: true }));
    const lingers = () => timers.mock.calls.filter(([, ms]) => ms === LINGER_MS).map(([act]) => act);
    const end = async () => {
      rows.mockReturnValue(threeRows.map((row) => ({ ...row, isOver: row.name === "two" })));
      const before = opened.asked.length;
      refresh();
      await expect.poll(() => opened.asked.length).toBe(before + 1);
      await expect
        .element(opened.screen.getByRole("button", { name: /more actions for two|peel two/i }))
        .not.toBeInTheDocument();
    };
    return { ...opened, end, lingers };
  }

  it("leaves once that was seen", async () => {
    const { end, lingers, asked } = await openWithEnd();
    await end();
    await expect.poll(lingers).toHaveLength(1);
    const before = asked.length;
    lingers()[0]?.();
    await expect.poll(() => asked.length).toBe(before + 1);
  });

  it("stays while the pointer is on the list", async () => {
    const { screen, end, lingers } = await openWithEnd();
    await screen.getByRole("row", { name: /one/ }).hover();
    await end();
    expect(lingers()).toEqual([]);
    await screen.getByPlaceholder("Filter").hover();
    await expect.poll(lingers).toHaveLength(1);
  });

  it("stays while the focus is on the list", async () => {
    const { screen, end, lingers } = await openWithEnd();
    (rowNamed("one") as HTMLElement).focus();
    await end();
    expect(lingers()).toEqual([]);
    (screen.getByPlaceholder("Filter").element() as HTMLElement).focus();
    await expect.poll(lingers).toHaveLength(1);
  });

  it("leaves when the focus went with what could be done with it", async () => {
    await browserPage.viewport(390, 844);
    const { screen, end, lingers } = await openWithEnd();
    (screen.getByRole("button", { name: "More actions for two" }).element() as HTMLElement).focus();
    await end();
    expect(focused()).toBe(document.body);
    await expect.poll(lingers).toHaveLength(1);
  });
});

it("opens a row with a double click, but not by ticking it", async () => {
  const { screen, opened } = await open();
  await screen.getByRole("checkbox", { name: "Select two" }).dblClick();
  expect(opened).not.toHaveBeenCalled();
  await screen.getByRole("gridcell", { name: "one" }).first().dblClick();
  expect(opened.mock.calls).toEqual([[threeRows[0]]]);
});

it("shows shapes of rows only when the first ones take a while", async () => {
  const { screen } = await open({ answers: new Promise(() => undefined) });
  await expect.element(screen.getByRole("grid")).toHaveAttribute("aria-busy", "true");
  expect(document.querySelectorAll("tbody tr").length).toBe(0);
  await expect.poll(() => document.querySelectorAll("tbody tr").length).toBe(3);
});

it("is cards on a phone, with a button for what matters most and a menu for the rest", async () => {
  await browserPage.viewport(390, 844);
  const { screen } = await open();
  const card = screen.getByRole("list", { name: "Rows" }).getByRole("listitem").first();
  await expect.element(card.getByRole("button", { name: "Eat" })).toBeVisible();
  await expect.element(card.getByText("·")).not.toBeVisible();
  await card.getByRole("button", { name: "More actions for one" }).click();
  expect(
    screen
      .getByRole("menuitem")
      .elements()
      .map((item) => item.textContent),
  ).toEqual(["Peel"]);
  expect(nameless()).toEqual([]);
});
