import { describe, expect, it } from "vitest";
import { answerMessage, candidateMessage, connectionMessage } from "./signalling-messages.ts";
import * as state from "./state-messages.ts";

const signalling: [string, string][] = [
  [connectionMessage(), `{"connection":"ok"}`],
  [answerMessage("v=0"), `{"type":"answer","sdp":"v=0"}`],
  [candidateMessage("candidate:1", "0"), `{"candidate":"candidate:1","sdpMid":"0"}`],
];

/** Type and message of an event, as the player's plugins read them. */
const events: [string | undefined, string, unknown][] = [
  [state.batteryMessage({ level: 73, status: "charging" }), "battery", "state mode charging 73"],
  [state.gpsMessage("latitude", 65.96), "gps", "latitude 65.96"],
  [state.deviceIdMessage("12345678901234"), "settings", "parameter device_id:12345678901234"],
  [state.androidIdMessage("0123456789abcdef"), "settings", "parameter android_id:0123456789abcdef"],
  [state.networkSwitchesMessage({ wifi: true, mobile: false }), "settings", "if wifi:on mobile:off"],
  [
    state.mobileNetworkMessage({ profile: "lte", strength: "great" }),
    "network_profile",
    "state phone up_rate:disabled:0 down_rate:disabled:0 up_delay:disabled:0 down_delay:disabled:0 " +
      "up_pkt_loss:disabled:0 down_pkt_loss:disabled:0 dns_delay:disabled:0 mobile_profile:lte signal_strength:great",
  ],
  [state.operatorMessage("sim", "310260"), "baseband", "sim operator 310260"],
  [state.operatorNameMessage("network", "A B"), "baseband", "network operator_name A B"],
  [state.imsiMessage("123456789"), "baseband", "sim imsi_id 123456789"],
  [state.phoneNumberMessage("555"), "baseband", "sim phone_number 555"],
  [state.diskReadRateMessage(0), "diskio", "readbyterate 0"],
  [state.fingerprintStatusMessage("idle"), "fingerprint", "current_status idle"],
  [state.fingerprintAutoMessage(false), "fingerprint", "auto_recognize false"],
  [state.fingerprintScanMessage("error timeout"), "fingerprint", "scan error timeout"],
  [state.clipboardMessage("hé"), "framework", "clipboard from_android aMOp"],
  [state.gamepadConfirmationMessage(1, 0), "vinput", "gamepad_plugin_confirmation 1 0"],
  [state.systemPatcherResultMessage("unavailable"), "systempatcher", "last_result unavailable"],
  [state.versionMessage("0.1.0"), "VERSION", "0.1.0"],
  [state.usersMessage(2), "USERS", 2],
  [
    state.capabilitiesMessage({ ...state.noCapabilities, battery: true }),
    "CAPABILITIES",
    { ...state.noCapabilities, battery: true },
  ],
];

describe("messages to the player", () => {
  for (const [text, expected] of signalling) it(`writes ${expected}`, () => expect(text).toBe(expected));

  for (const [text, type, message] of events)
    it(`writes ${type}: ${JSON.stringify(message).slice(0, 60)}`, () =>
      expect(JSON.parse(text ?? "")).toEqual({ type, code: "SUCCESS", message }));

  it("cannot say an empty clipboard", () => expect(state.clipboardMessage("")).toBeUndefined());
});
