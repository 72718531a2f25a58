import { describe, expect, it } from "vitest";
import type { ViewNode } from "../../device/screen.ts";
import { describeShell } from "../../testing/shell-rows.ts";
import { hierarchyXml } from "./uiautomator.ts";

const EMPTY =
  '<node index="0" text="" resource-id="" class="android.widget.FrameLayout" package="com.terrarium.launcher" content-desc="" ' +
  'checkable="false" checked="false" clickable="false" enabled="true" focusable="false" focused="false" scrollable="false" ' +
  'long-clickable="false" password="false" selected="false" bounds="[0,0][360,640]" />';
const XML = `<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation="0">${EMPTY}</hierarchy>`;

describe("uiautomator dump", () => {
  describeShell(
    [
      [
        "uiautomator dump; cat /sdcard/window_dump.xml; rm /sdcard/window_dump.xml",
        `UI hierchary dumped to: /sdcard/window_dump.xml\n${XML}`,
      ],
      ["uiautomator dump --compressed /dev/tty", `${XML}UI hierchary dumped to: /dev/tty\n`],
      [
        "cd /data/local/tmp; uiautomator dump x.xml; wc -c < x.xml; rm x.xml",
        `UI hierchary dumped to: x.xml\n${XML.length}\n`,
      ],
    ],
    [
      ["uiautomator", "Usage: uiautomator dump [--compressed] [file]\n", 1],
      ["uiautomator runtest x", "uiautomator: runtest is not supported by a simulated device\n", 1],
      ["uiautomator dump --windows", "uiautomator: Unknown option --windows\n", 1],
      ["uiautomator dump /system/x", "uiautomator: Read-only file system\n", 1],
    ],
  );

  const node = (text: string, more: Partial<ViewNode> = {}): ViewNode => ({
    className: "android.widget.TextView",
    id: "",
    text,
    description: "",
    clickable: false,
    longClickable: false,
    scrollable: false,
    focused: false,
    checked: undefined,
    bounds: { left: 1, top: 2, right: 3, bottom: 4 },
    children: [],
    ...more,
  });
  const xml = (root: ViewNode) =>
    hierarchyXml(root, { packageName: "org.example", rotation: 1, scale: { x: 1.5, y: 2 } });

  it.each([
    ['a<b & "c"', 'text="a&lt;b &amp; &quot;c&quot;"'],
    ["two\r\n\tlines", 'text="two&#13;&#10;&#9;lines"'],
    ["nul\0 bell\u0007", 'text="nul? bell?"'],
    ["🌿 \ud800 half", 'text="&#127807; \ufffd half"'],
  ])("writes %j so that any parser reads it", (text, attribute) => expect(xml(node(text))).toContain(attribute));

  it("numbers children, scales bounds and names what can be done", () => {
    const tree = node("", {
      id: "net/wifi",
      clickable: true,
      checked: true,
      longClickable: true,
      children: [node("a"), node("b")],
    });
    expect(xml(tree)).toContain('rotation="1"><node index="0" text="" resource-id="org.example:id/net_wifi"');
    expect(xml(tree)).toContain('checkable="true" checked="true" clickable="true"');
    expect(xml(tree)).toContain('bounds="[2,4][5,8]"');
    expect(xml(tree)).toMatch(/<node index="0" text="a".*\/><node index="1" text="b".*\/><\/node><\/hierarchy>$/);
  });
});
