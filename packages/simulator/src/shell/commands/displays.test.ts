import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aSpec } from "../../testing/a-spec.ts";
import { testDevice, type TestDevice } from "../../testing/test-device.ts";

let test: TestDevice;
beforeAll(async () => {
  test = await testDevice({
    spec: aSpec({
      hardware: {
        displays: [
          { width: 360, height: 640, density: 160 },
          { width: 300, height: 400, density: 320, physicalInches: 2 },
        ],
      },
    }),
  });
});
afterAll(() => test.stop());

describe("a device with two displays", () => {
  it.each([
    ["wm size -d 1; wm -d 1 density", "Physical size: 300x400\nPhysical density: 320\n"],
    ["wm size; wm density -d 0", "Physical size: 360x640\nPhysical density: 160\n"],
    ["wm size -d 2; wm density -d 2", "Physical size: 0x0\nPhysical density: -1\n"],
    ["dumpsys display | grep -o 'Displays: size=.*'", "Displays: size=2\n"],
    [
      "dumpsys display | grep -o 'deviceWidth=[0-9]*, deviceHeight=[0-9]*'",
      "deviceWidth=360, deviceHeight=640\ndeviceWidth=300, deviceHeight=400\n",
    ],
    ["dumpsys display | grep mBaseDisplayInfo | grep -o 'displayId [0-9]*'", "displayId 0\ndisplayId 1\n"],
    [
      "dumpsys display | grep mOverrideDisplayInfo | grep -o 'real [0-9]* x [0-9]*'",
      "real 360 x 640\nreal 300 x 400\n",
    ],
    // 500 pixels across two inches
    [
      "dumpsys display | grep mBaseDisplayInfo | grep -o 'density.*dpi'",
      "density 160 (160.0 x 160.0) dpi\ndensity 320 (250.0 x 250.0) dpi\n",
    ],
    ["dumpsys window | grep -o 'init=[^ ]* [^ ]*'", "init=360x640 160dpi\ninit=300x400 320dpi\n"],
    [
      "logcat -d -s SurfaceFlinger -v tag | grep -o 'Display .*'",
      "Display 0: 360x640, 160 dpi\nDisplay 1: 300x400, 320 dpi\n",
    ],
  ])("answers %s", async (command, stdout) => {
    expect(await test.adb.shell(command)).toMatchObject({ stdout, exitCode: 0 });
  });

  it("turns the first alone", async () => {
    test.device.state.set({ rotation: 1 });
    const { stdout } = await test.adb.shell(
      "dumpsys display | grep mOverrideDisplayInfo | grep -o 'real [0-9]* x [0-9]*'",
    );
    expect(stdout).toBe("real 640 x 360\nreal 300 x 400\n");
  });

  it("refuses an identifier that is none", async () => {
    expect(await test.adb.shell("wm size -d x")).toMatchObject({ stderr: "wm: Error: bad number x\n", exitCode: 255 });
  });
});
