/** All that a screen knows of the device it is drawn for. */
export type { Area } from "@terrarium/video";
export type { CreateScreen, InstalledApp, Screen, ScreenHost, TouchAction, ViewNode } from "./device/screen.ts";
export { DeviceState, type DeviceStateValues } from "./device/device-state.ts";
export { LAUNCHER, ownApps } from "./device/own-apps.ts";
export { canTurn } from "./device/can-turn.ts";
export { hasBattery } from "./device/has-battery.ts";
export { hasNavigationBar } from "./device/has-navigation-bar.ts";
export { answerCall, endCall } from "./device/phone.ts";
