import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aSpec } from "../testing/a-spec.ts";
import { makeApk } from "../testing/make-apk.ts";
import { testDevice, type TestDevice } from "../testing/test-device.ts";

const SERVER = "CLASSPATH=/data/local/tmp/scrcpy-server.jar app_process / com.genymobile.scrcpy.Server 4.1";
const INFO = "[server] INFO: Device: [Terrarium] Terrarium Custom Phone (Android 14)\n";
const ENCODERS = "List of video encoders:\n    --video-codec=h264 --video-encoder=c2.terrarium.avc.encoder       (sw)";
const AUDIO_ENCODERS =
  "List of audio encoders:\n    --audio-codec=opus --audio-encoder=c2.terrarium.opus.encoder      (sw)";

let now: TestDevice;
let android9: TestDevice;
beforeAll(async () => {
  now = await testDevice();
  android9 = await testDevice({ spec: aSpec({ image: { sdkVersion: 28, osVersion: "9.0" } }) });
});
afterAll(() => {
  now.stop();
  android9.stop();
});

describe("scrcpy's options that a simulated device does not honour", () => {
  // Errors of configuration leave the server's exit code at 0, as in the server itself.
  const refusals: [words: string, message: string, exitCode: number][] = [
    ["crop=100:100:0:0", "Crop is not supported by a simulated device", 0],
    ["crop=100:100", 'Crop must contains 4 values separated by colons: "100:100"', 1],
    ["crop=1:2:3:4:5", 'Crop must contains 4 values separated by colons: "1:2:3:4:5"', 1],
    ["crop=0:100:0:0", "Invalid crop size: 0x100", 1],
    ["crop=10:10:-2:0", "Invalid crop offset: -2:0", 1],
    ["new_display=", "New virtual display is not supported by a simulated device", 0],
    ["new_display=1920x1080/240", "New virtual display is not supported by a simulated device", 0],
    ["video_source=camera", "No matching camera found", 0],
    ["video_source=camera camera_id=7", "Camera with id 7 not found\nList of cameras:\n    (none)", 0],
    ["video_source=window", "Video source window not supported", 1],
    ["display_id=3", "Display 3 not found\nList of displays:\n    --display-id=0    (360x640)", 0],
    ["display_ime_policy=hide", "Display IME policy is not supported by a simulated device", 0],
    ["display_ime_policy=x", "Invalid display IME policy: x", 1],
    ["capture_orientation=90", "Capture orientation is not supported by a simulated device", 0],
    ["capture_orientation=", "Empty capture orientation string", 1],
    ["angle=12.5", "Angle is not supported by a simulated device", 0],
    ["angle=steep", 'Invalid float value for angle: "steep"', 1],
    ["flex_display=true", "Flexible display is not supported by a simulated device", 0],
    ["audio_encoder=OMX.google", `Audio encoder 'OMX.google' for opus not found\n${AUDIO_ENCODERS}`, 0],
    ["video_encoder=OMX.google", `Video encoder 'OMX.google' for h264 not found\n${ENCODERS}`, 0],
  ];
  it.each(refusals)("refuses %s", async (words, message, exitCode) => {
    expect(await now.adb.shell(`${SERVER} '${words.split(" ").join("' '")}'`)).toEqual({
      stdout: INFO,
      stderr: `[server] ERROR: ${message}\n`,
      exitCode,
    });
  });

  it.each([
    ["new_display=", "New virtual display is not supported before Android 10"],
    ["display_ime_policy=hide", "Display IME policy is not supported before Android 10"],
    ["video_source=camera", "Camera mirroring is not supported before Android 12"],
  ])("refuses %s on an older Android in other words", async (words, message) =>
    expect(await android9.adb.shell(`${SERVER} ${words}`)).toMatchObject({
      stderr: `[server] ERROR: ${message}\n`,
      exitCode: 0,
    }),
  );

  it("serves a client that names what it has", async () => {
    const words = "crop= video_source=display display_id=0 capture_orientation=0 angle=0 flex_display=false";
    const server = await now.adb.spawn(
      `${SERVER} scid=1 tunnel_forward=true ${words} video_encoder=c2.terrarium.avc.encoder`,
    );
    expect(await server.stdout[Symbol.asyncIterator]().next()).toMatchObject({ done: false });
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(now.device.sockets.find("scrcpy_00000001")).toBeDefined();
    server.kill();
  });
});

describe("scrcpy's lists", () => {
  const list = async (words: string, device = now) => {
    const { stdout, stderr, exitCode } = await device.adb.shell(`${SERVER} ${words}`);
    expect([stderr, exitCode]).toEqual(["", 0]);
    return stdout.slice(stdout.indexOf("\n") + 1);
  };

  it("names its encoders, and since Android 10 what kind they are", async () => {
    expect(await list("list_encoders=true")).toBe(`[server] INFO: ${ENCODERS}\n[server] INFO: ${AUDIO_ENCODERS}\n`);
    expect(await list("list_encoders=true", android9)).not.toContain("(sw)");
  });

  it("names its display, and no camera", async () => {
    expect(await list("list_displays=true list_cameras=true")).toBe(
      "[server] INFO: List of displays:\n    --display-id=0    (360x640)\n[server] INFO: List of cameras:\n    (none)\n",
    );
    expect(await list("list_camera_sizes=true")).toBe("[server] INFO: List of cameras:\n    (none)\n");
  });

  it("names its apps, those of the system first", async () => {
    const label = "An app with a name of more than thirty letters";
    const apk = makeApk({ packageName: "org.example.long", label });
    await now.adb.shell(`cmd package install -S ${apk.length}`, { stdin: apk });
    const lines = (await list("list_apps=true")).split("\n");
    expect(lines.slice(0, 3)).toEqual([
      "[server] INFO: Processing Android apps... (this may take some time)",
      "[server] INFO: List of apps:",
      " * Calculator                     com.terrarium.calculator",
    ]);
    expect(lines.slice(-3)).toEqual([` - ${label}`, `${" ".repeat(34)}org.example.long`, ""]);
  });
});
