import { expect, it } from "vitest";
import { rect } from "../draw/rect.ts";
import { createLook } from "../look/look.ts";
import { barsOf } from "./bars.ts";

const none = rect(0, 0, 0, 0);

it.each(["PHONE", "TABLET", "FOLDABLE", "CAR"] as const)(
  "leaves the room of the navigation bar to the apps of a %s without one",
  (formFactor) => {
    for (const version of ["5.1", "9", "15.0"]) {
      const look = createLook(version, false);
      const without = barsOf(rect(0, 0, 360, 640), look, formFactor, false);
      expect(without).toMatchObject({ navigation: none, kind: "none", insets: { left: 0, right: 0, bottom: 0 } });
      expect(barsOf(rect(0, 0, 360, 640), look, formFactor, true).navigation).not.toEqual(none);
    }
  },
);
