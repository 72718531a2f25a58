import type { DisplaySpec } from "@terrarium/runtime";
import type { Command } from "../invocation.ts";

interface Size {
  width: number;
  height: number;
}

/** Pixels per inch of the glass itself. Without a stated size that is the density, as on most devices. */
function pixelsPerInch({ width, height, density, physicalInches }: DisplaySpec): string {
  const exact = physicalInches === undefined ? density : Math.hypot(width, height) / physicalInches;
  return String(Math.round(exact * 1000) / 1000).replace(/^(\d+)$/, "$1.0");
}

/**
 * `dumpsys display`: the first display, which turns with the device and can be watched, then the others, which stay as they are.
 * Scripts and scrcpy itself read `mOverrideDisplayInfo` line by line: the order of its words matters.
 */
export const displayDump: Command = async (call) => {
  const { display, state, spec } = call.device;
  const { displays } = spec.hardware;
  const { rotation, screenOn } = state.values;
  const on = screenOn ? "ON" : "OFF";
  const seen = displays.map((natural, id) => ({
    id,
    natural,
    size: id === 0 ? display.size : natural,
    turned: id === 0 ? rotation : 0,
  }));
  const info = ({ id, natural }: (typeof seen)[number], size: Size, turned: number) => {
    const [long, short] = [Math.max(size.width, size.height), Math.min(size.width, size.height)];
    const dpi = pixelsPerInch(natural);
    return (
      `DisplayInfo{"Built-in Screen", displayId ${id}, FLAG_SECURE, FLAG_SUPPORTS_PROTECTED_BUFFERS, real ${size.width} x ${size.height}, ` +
      `largest app ${long} x ${long}, smallest app ${short} x ${short}, ` +
      `mode ${id + 1}, defaultMode ${id + 1}, rotation ${turned}, state ${on}, type INTERNAL, uniqueId "local:${id}", app ${size.width} x ${size.height}, ` +
      `density ${natural.density} (${dpi} x ${dpi}) dpi, layerStack ${id}, colorMode 0}`
    );
  };
  const viewports = seen.map(
    ({ id, natural, size, turned }) =>
      `DisplayViewport{type=INTERNAL, valid=true, displayId=${id}, uniqueId='local:${id}', orientation=${turned}, ` +
      `logicalFrame=Rect(0, 0 - ${size.width}, ${size.height}), physicalFrame=Rect(0, 0 - ${natural.width}, ${natural.height}), ` +
      `deviceWidth=${natural.width}, deviceHeight=${natural.height}}`,
  );
  const [first] = displays;
  await call.stdout.write(
    `DISPLAY MANAGER (dumpsys display)
  mStableDisplaySize=Point(${first!.width}, ${first!.height})
  mViewports=[${viewports.join(", ")}]

Display States: size=${seen.length}
${seen.map(({ id }) => `  Display Id=${id}\n  Display State=${on}\n`).join("")}  mScreenState=${on}

Logical Displays: size=${seen.length}
${seen
  .map(
    (each) => `  Display ${each.id}:
    mDisplayId=${each.id}
    mLayerStack=${each.id}
    mPrimaryDisplayDevice=Built-in Screen
    mBaseDisplayInfo=${info(each, each.natural, 0)}
    mOverrideDisplayInfo=${info(each, each.size, each.turned)}
`,
  )
  .join("")}`,
  );
  return 0;
};
