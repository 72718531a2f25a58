import type { UiNode } from "@terrarium/contract";
import { describe, expect, it } from "vitest";
import { areInStep, boxOf, idAtPoint, itemsOf, nodeAt, selectorsOf, type UiTree } from "./ui-node.ts";

const a = (bounds: UiNode["bounds"], more: Partial<UiNode> = {}): UiNode => ({
  class: "android.view.View",
  bounds,
  ...more,
});
const root = a([0, 0, 100, 200], {
  children: [
    a([0, 0, 100, 50], { id: "org.p:id/title", text: "A\n title", class: "android.widget.TextView" }),
    a([0, 50, 100, 200], { children: [a([10, 60, 30, 80]), a([10, 60, 30, 80], { description: 'say "it\'s"' })] }),
  ],
});
const tree: UiTree = { width: 100, height: 200, root, isCut: false };

describe("a tree of what is on a screen", () => {
  it("names its things, and finds them by their places in it", () => {
    const { name, children } = itemsOf(root);
    expect([name, ...children.map((each) => [each.id, each.name])]).toEqual([
      "View",
      ["0.0", "A title"],
      ["0.1", "View"],
    ]);
    expect(nodeAt(root, "0.1.1")?.description).toBe('say "it\'s"');
    expect([nodeAt(root, "0.5.1"), nodeAt(root, undefined)]).toEqual([undefined, undefined]);
  });

  it.each([
    [50, 10, "0.0"],
    [15, 65, "0.1.1"],
    [29.9, 79.9, "0.1.1"],
    [30, 80, "0.1"],
    [-1, 0, undefined],
  ])("has at %d, %d the smallest thing there", (x, y, id) => expect(idAtPoint(root, x, y)).toBe(id));

  it("is in step with a picture that is held as it is", () => {
    expect(boxOf(root.children?.[1] as UiNode, tree)).toEqual({ left: "0%", top: "25%", width: "100%", height: "75%" });
    expect(areInStep(tree, { width: 9, height: 16 })).toBe(true);
    expect(areInStep(tree, { width: 16, height: 9 })).toBe(false);
  });

  it.each([
    [
      "0.0",
      '//android.widget.TextView[@resource-id="org.p:id/title"]',
      'new UiSelector().resourceId("org.p:id/title")',
    ],
    [
      "0.1.0",
      "/hierarchy/android.view.View/android.view.View/android.view.View[1]",
      'new UiSelector().className("android.view.View")',
    ],
    [
      "0.1.1",
      `//android.view.View[@content-desc=concat("say ", '"', "it's", '"', "")]`,
      String.raw`new UiSelector().description("say \"it's\"")`,
    ],
  ])("says how %s is found again", (id, xpath, uiSelector) =>
    expect(selectorsOf(root, id)).toMatchObject({ xpath, uiSelector }),
  );

  it("says where to tap", () => expect(selectorsOf(root, "0.1.0").tap).toBe("adb shell input tap 20 70"));
});
