import type { ViewNode } from "../../device/screen.ts";
import { type Commands, type Invocation, pathOf, UsageError } from "../invocation.ts";

const DEFAULT_FILE = "/sdcard/window_dump.xml";
const TERMINAL = "/dev/tty";
const EDIT_TEXT = "android.widget.EditText";

const names: Readonly<Record<string, string>> = { "&": "amp", "<": "lt", ">": "gt", '"': "quot" };

/** Text for an XML attribute, as Android's serializer writes it. Characters that XML 1.0 does not allow become question marks. */
const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "?")
    .replaceAll(/[&<>"\t\n\r\u{10000}-\u{10ffff}]/gu, (char) => `&${names[char] ?? `#${char.codePointAt(0)}`};`);

/** The tree as AOSP's AccessibilityNodeInfoDumper writes it; `scale` takes pixels of the picture to those of the display. */
export function hierarchyXml(
  root: ViewNode,
  { packageName, rotation, scale }: { packageName: string; rotation: number; scale: { x: number; y: number } },
): string {
  const nodeXml = (node: ViewNode, index: number): string => {
    const { left, top, right, bottom } = node.bounds;
    const x = (value: number) => Math.round(value * scale.x);
    const y = (value: number) => Math.round(value * scale.y);
    const attributes: Record<string, string | number | boolean> = {
      index,
      text: node.text,
      "resource-id": node.id === "" ? "" : `${packageName}:id/${node.id.replaceAll(/\W+/g, "_")}`,
      class: node.className,
      package: packageName,
      "content-desc": node.description,
      checkable: node.checked !== undefined,
      checked: node.checked ?? false,
      clickable: node.clickable,
      enabled: true,
      focusable: node.clickable || node.className === EDIT_TEXT,
      focused: node.focused,
      scrollable: node.scrollable,
      "long-clickable": node.longClickable,
      password: false,
      selected: false,
      bounds: `[${x(left)},${y(top)}][${x(right)},${y(bottom)}]`,
    };
    const words = Object.entries(attributes).map(([name, value]) => ` ${name}="${escaped(String(value))}"`);
    const children = node.children.map(nodeXml).join("");
    return `<node${words.join("")}${children === "" ? " />" : `>${children}</node>`}`;
  };
  return `<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation="${rotation}">${nodeXml(root, 0)}</hierarchy>`;
}

async function dump(call: Invocation, args: readonly string[]): Promise<number> {
  const unknown = args.find((arg) => arg.startsWith("-") && arg !== "--compressed");
  if (unknown !== undefined) throw new UsageError(`Unknown option ${unknown}`, 1);
  const shown = args.find((arg) => !arg.startsWith("-")) ?? DEFAULT_FILE;
  const { display, state } = call.device;
  if (!state.values.screenOn) {
    await call.stderr.write("ERROR: null root node returned by UiTestAutomationBridge.\n");
    return 0;
  }
  const { screen, size } = display;
  const xml = hierarchyXml(screen.view(), {
    packageName: screen.focused.split("/")[0]!,
    rotation: state.values.rotation,
    scale: { x: size.width / screen.width, y: size.height / screen.height },
  });
  if (shown === TERMINAL) await call.stdout.write(xml);
  else call.shell.files.write(pathOf(call, shown), xml, 0o660);
  // Misspelt by Android too; scripts look for it.
  await call.stdout.write(`UI hierchary dumped to: ${shown}\n`);
  return 0;
}

export const uiautomator: Commands = {
  uiautomator: async (call) => {
    const [verb, ...args] = call.args;
    if (verb === "dump") return dump(call, args);
    await call.stderr.write(
      verb === undefined || verb === "help"
        ? "Usage: uiautomator dump [--compressed] [file]\n"
        : `uiautomator: ${verb} is not supported by a simulated device\n`,
    );
    return 1;
  },
};
