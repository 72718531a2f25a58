import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseServerArguments, serverArguments, serverCommand } from "./server-command.ts";
import { defaultServerOptions, socketName, type ServerOptions } from "./server-options.ts";

describe("serverCommand", () => {
  it("says what differs from the server's own defaults and nothing else", () =>
    expect(
      serverCommand({ scid: 0x1a2b, tunnelForward: true, audio: false, control: true, logLevel: "info", maxFps: 30 }),
    ).toBe(
      "CLASSPATH=/data/local/tmp/scrcpy-server.jar app_process / com.genymobile.scrcpy.Server 4.1 " +
        "scid=00001a2b log_level=info audio=false tunnel_forward=true max_fps=30",
    ));
});

describe("serverArguments", () => {
  it("finds the words after the main class, a debugger's option before it or not", () =>
    expect(
      serverArguments(
        "CLASSPATH=/data/local/tmp/scrcpy-server.jar app_process -XjdwpProvider:adbconnection / com.genymobile.scrcpy.Server 4.1 audio=false",
      ),
    ).toEqual(["4.1", "audio=false"]));

  for (const command of [
    "",
    "ls /",
    "app_process / com.android.commands.am.Am start",
    "com.genymobile.scrcpy.Server 4.1",
  ])
    it(`leaves "${command}" to the shell`, () => expect(serverArguments(command)).toBeUndefined());
});

describe("parseServerArguments", () => {
  it("reads what scrcpy's own client sends, and passes over keys it does not know", () =>
    expect(
      parseServerArguments([
        "4.1",
        "scid=7fffffff",
        "log_level=warn",
        "max_size=1024",
        "key_of_tomorrow=1",
        "cleanup=false",
      ]),
    ).toEqual({ ...defaultServerOptions, scid: 0x7fffffff, logLevel: "warn", maxSize: 1024, cleanup: false }));

  it("reads what is wanted of the sound", () =>
    expect(parseServerArguments(["4.1", "audio_codec=aac", "audio_bit_rate=64000"])).toEqual({
      ...defaultServerOptions,
      audioCodec: "aac",
      audioBitRate: 64_000,
    }));

  for (const list of ["i-frame-interval=0", "profile:int=1,i-frame-interval:int=0"])
    it(`reads how often a key frame is wanted from the encoder's options ${list}`, () =>
      expect(parseServerArguments(["4.1", `video_codec_options=${list}`]).keyFrameInterval).toBe(0));
  it("passes over other options of the encoder", () =>
    expect(parseServerArguments(["4.1", "video_codec_options=profile=1"])).toEqual(defaultServerOptions));

  it("takes raw_stream as four switches", () => {
    const options = parseServerArguments(["4.1", "raw_stream=true"]);
    expect([options.sendDeviceMeta, options.sendFrameMeta, options.sendDummyByte, options.sendStreamMeta]).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });

  for (const version of ["4.0", "3.3.4", "4.1.1", ""])
    it(`refuses a client of version "${version}"`, () =>
      expect(() => parseServerArguments([version])).toThrow(expect.objectContaining({ code: "SCRCPY_VERSION" })));
  it("refuses a client that says no version", () =>
    expect(() => parseServerArguments([])).toThrow(expect.objectContaining({ code: "SCRCPY_VERSION" })));

  for (const word of [
    "audio",
    "scid=80000000",
    "scid=-2",
    "scid=x",
    "scid=",
    "max_size=-1",
    "max_size=1e9",
    "max_size=99999999999",
    "max_fps=fast",
    "log_level=loud",
    "video_codec=mpeg2",
    "video_codec=toString",
    "audio_codec=mp3",
    "audio_bit_rate=loud",
    "video_codec_options=i-frame-interval=often",
  ])
    it(`refuses ${word}`, () =>
      expect(() => parseServerArguments(["4.1", word])).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" })));

  it("reads what serverCommand writes", () => {
    const options: fc.Arbitrary<ServerOptions> = fc.record(
      {
        scid: fc.integer({ min: -1, max: 0x7fffffff }),
        logLevel: fc.constantFrom("verbose", "debug", "info", "warn", "error"),
        videoCodec: fc.constantFrom("h264", "h265", "av1", "vp8", "vp9"),
        videoBitRate: fc.nat(),
        audioCodec: fc.constantFrom("opus", "aac", "flac", "raw"),
        audioBitRate: fc.nat(),
        keyFrameInterval: fc.nat(),
        maxSize: fc.nat(),
        maxFps: fc.constantFrom(0, 30, 59.94),
        displayId: fc.nat(),
        video: fc.boolean(),
        audio: fc.boolean(),
        control: fc.boolean(),
        tunnelForward: fc.boolean(),
        showTouches: fc.boolean(),
        stayAwake: fc.boolean(),
        powerOn: fc.boolean(),
        powerOffOnClose: fc.boolean(),
        clipboardAutosync: fc.boolean(),
        downsizeOnError: fc.boolean(),
        cleanup: fc.boolean(),
        sendDeviceMeta: fc.boolean(),
        sendFrameMeta: fc.boolean(),
        sendDummyByte: fc.boolean(),
        sendStreamMeta: fc.boolean(),
      },
      { noNullPrototype: true },
    );
    fc.assert(
      fc.property(options, (options) => {
        expect(parseServerArguments(serverArguments(serverCommand(options)) ?? [])).toEqual(options);
      }),
    );
  });
});

describe("socketName", () => {
  it("is the scid in eight digits", () => expect(socketName(0xabc)).toBe("scrcpy_00000abc"));
  it("is plain without one", () => expect(socketName(-1)).toBe("scrcpy"));
});
