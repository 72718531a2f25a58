import { useState } from "react";
import { describe, expect, it, vi } from "vitest";
import { userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { InTestApp } from "../../testing/InTestApp.tsx";
import { nameless } from "../../testing/names.ts";
import type { TreeItem } from "./tree-rows.ts";
import { TreeView } from "./TreeView.tsx";
import { useBranches } from "./use-branches.ts";
import type { TreeDrop } from "./use-tree-drop.ts";

const item = (name: string, ...children: TreeItem[]): TreeItem => ({ id: name, name, data: undefined, children });
const tree = [item("Mobile", item("Android", item("Payments")), item("iOS")), item("Web")];

const onMenu = vi.fn();

function Example({ items = tree, drop }: { items?: TreeItem[]; drop?: TreeDrop }) {
  const [chosen, choose] = useState("Mobile");
  const { isOpen, toggle } = useBranches((id) => id === "Mobile");
  return (
    <>
      <p draggable>A person</p>
      <button type="button">Before</button>
      <TreeView
        label="Groups"
        items={items}
        isOpen={isOpen}
        onToggle={toggle}
        chosen={chosen}
        onChoose={choose}
        menu={{ label: ({ name }) => `More actions for ${name}`, open: (id) => void onMenu(id) }}
        {...(drop && { drop })}
      >
        {({ children }) => `${children.length} below`}
      </TreeView>
      <button type="button">After</button>
    </>
  );
}

async function open(props: Parameters<typeof Example>[0] = {}) {
  onMenu.mockClear();
  const screen = await render(
    <InTestApp>
      <Example {...props} />
    </InTestApp>,
  );
  const row = (name: string | RegExp) => screen.getByRole("treeitem", { name });
  const shown = () =>
    screen
      .getByRole("treeitem")
      .elements()
      .map((element) => (element as HTMLElement).dataset.id);
  const focused = () => (document.activeElement as HTMLElement).dataset.id ?? document.activeElement?.textContent;
  return { screen, row, shown, focused };
}

describe("a tree", () => {
  it("says level, place, what is open and what is chosen", async () => {
    const { row } = await open();
    const android = row(/^Android 1 below/).element();
    expect(Object.fromEntries(Array.from(android.attributes, ({ name, value }) => [name, value]))).toMatchObject({
      "aria-level": "2",
      "aria-posinset": "1",
      "aria-setsize": "2",
      "aria-expanded": "false",
      "aria-selected": "false",
    });
    await expect.element(row(/^Mobile/)).toHaveAttribute("aria-selected", "true");
    expect(row(/^Web/).element().hasAttribute("aria-expanded")).toBe(false);
    expect(nameless()).toEqual([]);
  });

  it("is one stop of the Tab key, at what is chosen and then where one was", async () => {
    const { screen, focused } = await open();
    await screen.getByRole("button", { name: "Before" }).click();
    await userEvent.keyboard("{Tab}");
    expect(focused()).toBe("Mobile");
    await userEvent.keyboard("{ArrowDown}{Tab}");
    expect(focused()).toBe("After");
    await userEvent.keyboard("{Shift>}{Tab}{/Shift}");
    expect(focused()).toBe("Android");
  });

  it("is walked, opened and closed with the keys", async () => {
    const { row, shown, focused } = await open();
    await row(/^Mobile/).click();
    await userEvent.keyboard("{ArrowRight}{ArrowRight}{ArrowRight}");
    expect(shown()).toEqual(["Mobile", "Android", "Payments", "iOS", "Web"]);
    expect(focused()).toBe("Payments");
    await userEvent.keyboard("{ArrowLeft}{ArrowLeft}");
    expect(focused()).toBe("Android");
    expect(shown()).toEqual(["Mobile", "Android", "iOS", "Web"]);
    await userEvent.keyboard("{End}");
    expect(focused()).toBe("Web");
    await userEvent.keyboard("{Home}");
    expect(focused()).toBe("Mobile");
    await userEvent.keyboard("i");
    expect(focused()).toBe("iOS");
  });

  it("leaves keys that find no row to the page", async () => {
    const { row } = await open();
    const heard: string[] = [];
    const listen = ({ key }: KeyboardEvent) => void heard.push(key);
    document.addEventListener("keydown", listen);
    await row(/^Mobile/).click();
    await userEvent.keyboard("i?");
    document.removeEventListener("keydown", listen);
    expect(heard).toEqual(["?"]);
  });

  it("opens a branch by its arrow, which chooses nothing", async () => {
    const { row, shown } = await open();
    (
      row(/^Android/)
        .element()
        .querySelector("[data-part=toggle]") as HTMLElement
    ).click();
    await expect.poll(shown).toEqual(["Mobile", "Android", "Payments", "iOS", "Web"]);
    await expect.element(row(/^Mobile/)).toHaveAttribute("aria-selected", "true");
  });

  it.each(["{Enter}", " "])("chooses with the key “%s”", async (key) => {
    const { row } = await open();
    await row(/^Mobile/).click();
    await userEvent.keyboard(`{End}${key}`);
    await expect.element(row(/^Web/)).toHaveAttribute("aria-selected", "true");
    await expect.element(row(/^Mobile/)).toHaveAttribute("aria-selected", "false");
  });

  it("asks for the menu of a row by its button, by keys and by the right mouse button", async () => {
    const { screen, row } = await open();
    await screen.getByRole("button", { name: "More actions for iOS" }).click();
    await row(/^Web/).click();
    await userEvent.keyboard("{Shift>}{F10}{/Shift}");
    await row(/^Android/).click({ button: "right" });
    expect(onMenu.mock.calls).toEqual([["iOS"], ["Web"], ["Android"]]);
    // None of it chose anything but the click on the row.
    await expect.element(row(/^Web/)).toHaveAttribute("aria-selected", "true");
  });

  it("keeps the focus in the tree when the row that has it goes", async () => {
    const { screen, row, focused } = await open();
    await row(/^Mobile/).click();
    await userEvent.keyboard("{End}");
    await screen.rerender(
      <InTestApp>
        <Example items={tree.slice(0, 1)} />
      </InTestApp>,
    );
    expect(focused()).toBe("Mobile");
  });

  it("draws five hundred rows", async () => {
    const many = Array.from({ length: 500 }, (_, index) => item(`Group ${index}`));
    const { shown } = await open({ items: many });
    expect(shown()).toHaveLength(500);
  });
});

describe("dropping", () => {
  const aDrop = () => {
    const onDrop = vi.fn();
    return { onDrop, drop: { accepts: (onto: string) => onto !== "iOS", onDrop } };
  };

  it("takes what is dragged onto a row", async () => {
    const { onDrop, drop } = aDrop();
    const { screen, row } = await open({ drop });
    await userEvent.dragAndDrop(screen.getByText("A person"), row(/^Android/));
    expect(onDrop.mock.calls).toEqual([["Android"]]);
    expect(document.querySelector("[data-over]")).toBeNull();
  });

  it("takes nothing onto a row that does not accept it", async () => {
    const { onDrop, drop } = aDrop();
    const { screen, row } = await open({ drop });
    await userEvent.dragAndDrop(screen.getByText("A person"), row(/^iOS/));
    expect(onDrop).not.toHaveBeenCalled();
  });
});
