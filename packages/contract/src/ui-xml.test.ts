import type { UiNode } from "./ui-node.ts";
import { describe, expect, it } from "vitest";
import { parseUiXml } from "./ui-xml.ts";

const HEAD = "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>";
const whole = (nodes: string, rotation = 0) => `${HEAD}<hierarchy rotation="${rotation}">${nodes}</hierarchy>`;
const node = (more = "", children = "") =>
  `<node index="0" class="a.B" package="org.p" enabled="true" clickable="false" bounds="[1,2][30,40]"${more}>${children}</node>`;

/** How deep it is, and how many there are. */
const measure = ({ children = [] }: UiNode): { depth: number; count: number } => {
  const below = children.map(measure);
  return {
    depth: 1 + Math.max(0, ...below.map(({ depth }) => depth)),
    count: 1 + below.reduce((sum, { count }) => sum + count, 0),
  };
};

describe("the XML of a screen", () => {
  it("is read as Android writes it, without what says nothing", () => {
    const xml = whole(
      node(
        ' text="" NAF="true"',
        `<node index="0" text="a &lt;b&gt; &amp;amp; &quot;c&quot; &#10;&#x1F33F;&#55356;&#57151;" resource-id="org.p:id/x" class="android.widget.CheckBox" package="org.p" content-desc="d" checkable="true" checked="true" clickable="true" enabled="false" hint='it"s' bounds="[-5,0][10,20]" />` +
          `<node class="a.C" package="org.other" bounds="[0,0][1,1]" />`,
      ),
      3,
    );
    expect(parseUiXml(xml)).toEqual({
      rotation: 3,
      isCut: false,
      root: {
        class: "a.B",
        package: "org.p",
        bounds: [1, 2, 30, 40],
        children: [
          {
            class: "android.widget.CheckBox",
            id: "org.p:id/x",
            text: 'a <b> &amp; "c" \n🌿🌿',
            description: "d",
            hint: 'it"s',
            bounds: [-5, 0, 10, 20],
            flags: ["checkable", "checked", "clickable", "disabled"],
          },
          { class: "a.C", package: "org.other", bounds: [0, 0, 1, 1] },
        ],
      },
    });
  });

  it("of several windows is one tree around them", () => {
    const { root } = parseUiXml(whole(`${node()}<node class="a.D" bounds="[0,0][9,90]" />`));
    expect([root.bounds, root.children?.map((each) => each.class)]).toEqual([
      [0, 0, 30, 90],
      ["a.B", "a.D"],
    ]);
  });

  it.each([
    ["nothing", ""],
    ["no node", whole("")],
    ["another document", "<html></html>"],
    ["words between", whole(`${node()} words`)],
    ["a document type", `<!DOCTYPE a [<!ENTITY x "xx">]>${whole(node())}`],
    ["a document type after the declaration", `${HEAD}<!DOCTYPE a SYSTEM "file:///etc/passwd">${whole(node())}`],
    ["a comment", whole(`<!-- a -->${node()}`)],
    ["CDATA", whole(`<![CDATA[a]]>`)],
    ["a bare attribute", whole("<node class=a />")],
    ["a tag in an attribute", whole('<node text="<node />" />')],
    ["what is not closed", `${HEAD}<hierarchy rotation="0">${node()}`],
    ["what is closed twice", whole(`${node()}</node>`)],
    ["a tree in a tree", whole(node("", `<hierarchy rotation="0"></hierarchy>`))],
    ["a thousand attributes", whole(`<node ${Array.from({ length: 1000 }, (_, at) => `a${at}="1"`).join(" ")} />`)],
  ])("is refused with %s", (_, xml) => expect(() => parseUiXml(xml)).toThrow(/not a tree|nothing in it|too many/));

  it("expands no entity, and leaves alone what is none", () => {
    const { root } = parseUiXml(
      whole('<node text="&x; &#1114112; &#99999999; & &amp" bounds="nothing" rotation="9" />'),
    );
    expect(root).toEqual({
      class: "android.view.View",
      text: "&x; &#1114112; &#99999999; & &amp",
      bounds: [0, 0, 0, 0],
    });
  });

  it("is cut at 5,000 nodes, 100 levels and 1,000 characters, which is told", () => {
    const wide = parseUiXml(whole(node("", node().repeat(6_000))));
    expect([measure(wide.root).count, wide.isCut]).toEqual([5_000, true]);
    const deep = parseUiXml(whole(`${"<node>".repeat(3_000)}${"</node>".repeat(3_000)}`));
    expect([measure(deep.root).depth, deep.isCut]).toEqual([100, true]);
    expect(parseUiXml(whole(node(` text="${"x".repeat(9_000)}"`))).root.text).toHaveLength(1_000);
    expect(parseUiXml(whole(node())).isCut).toBe(false);
  });

  it.each([" ", "<", "&", "<node>", 'a="', "<node a='", "&#"])(
    "of two million times %j is dealt with at once",
    (part) => {
      const began = performance.now();
      for (const xml of [part.repeat(2e6 / part.length), whole(`<node text="${part.repeat(2e6 / part.length)}" />`)])
        try {
          parseUiXml(xml);
        } catch {
          // It may be refused.
        }
      expect(performance.now() - began).toBeLessThan(2_000);
    },
  );
});
