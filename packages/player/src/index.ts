export { closeCodes, closeReasons } from "./close-codes.ts";
export { MAX_EVENT_CHARS, MAX_POINTS, MAX_SIGNAL_CHARS } from "./limits.ts";
export { parseUpload, type UploadCommand, uploadMessages } from "./uploads.ts";
export {
  devicePathOf,
  parseToolHello,
  parseToolRequest,
  type ToolHello,
  type ToolName,
  toolNames,
  type ToolRequest,
} from "./tools.ts";
export { parseSignal, type Signal } from "./signalling/parse-signal.ts";
export {
  parseEvent,
  type Channel,
  type DeviceCommand,
  type NotifyCommand,
  type PlayerCommand,
  type SensorCommand,
} from "./events/parse-event.ts";
export type { InputCommand, Point, RotateCommand } from "./events/input.ts";
export type { Place, RoomCommand } from "./events/room.ts";
export type { BasebandCommand } from "./events/channels/baseband.ts";
export type { BatteryCommand } from "./events/channels/battery.ts";
export type { DiskCommand } from "./events/channels/diskio.ts";
export type { FingerprintCommand, FingerprintResult } from "./events/channels/fingerprint.ts";
export type { FrameworkCommand } from "./events/channels/framework.ts";
export type { GamepadCommand } from "./events/channels/gamepad.ts";
export type { GpsCommand, GpsField } from "./events/channels/gps.ts";
export {
  mobileProfiles,
  signalStrengths,
  type MobileProfile,
  type NetworkCommand,
  type SignalStrength,
  type WifiLimit,
} from "./events/channels/network.ts";
export type { SettingsCommand } from "./events/channels/settings.ts";
export type { SystemPatcherCommand } from "./events/channels/system-patcher.ts";
export { androidKeys, metaStates } from "./keys/android-keys.ts";
export { androidKeyOf } from "./keys/qt-keys.ts";
export { answerMessage, candidateMessage, connectionMessage } from "./messages/signalling-messages.ts";
export { echoMessage, soundMessage, videoMessage, type VideoUnit } from "./messages/video-message.ts";
export {
  declinedMessage,
  handsMessage,
  pointerMessage,
  recordedMessage,
  type RecordingEnd,
  recordingMessage,
} from "./messages/room-messages.ts";
export {
  androidIdMessage,
  batteryMessage,
  capabilitiesMessage,
  clipboardMessage,
  deviceIdMessage,
  diskReadRateMessage,
  fingerprintAutoMessage,
  fingerprintScanMessage,
  fingerprintStatusMessage,
  gamepadConfirmationMessage,
  gpsMessage,
  imsiMessage,
  mobileNetworkMessage,
  networkSwitchesMessage,
  noCapabilities,
  operatorMessage,
  operatorNameMessage,
  phoneNumberMessage,
  systemPatcherResultMessage,
  usersMessage,
  versionMessage,
  type BatteryState,
  type Capabilities,
} from "./messages/state-messages.ts";
