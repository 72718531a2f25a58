import type { copyKeys, keyActions, touchActions } from "./constants.ts";

export type KeyAction = keyof typeof keyActions;
export type TouchAction = keyof typeof touchActions;
export type CopyKey = keyof typeof copyKeys;

/** A point, and the video size it refers to: the device ignores it when the size has changed. */
export interface Position {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A message from the client to the device. Key codes, buttons and meta states are those of `android.view`. */
export type ControlMessage =
  | { type: "key"; action: KeyAction; keyCode: number; repeat: number; metaState: number }
  | { type: "text"; text: string }
  | {
      type: "touch";
      action: TouchAction;
      pointerId: bigint;
      position: Position;
      /** 0 to 1; 0 when the finger is lifted. */
      pressure: number;
      /** The mouse button that changed; 0 for a finger. */
      actionButton: number;
      buttons: number;
    }
  /** Wheel notches from -16 to 16 in steps of 1/2048; positive `vertical` scrolls up. */
  | { type: "scroll"; position: Position; horizontal: number; vertical: number; buttons: number }
  | { type: "backOrScreenOn"; action: KeyAction }
  | { type: "getClipboard"; copyKey: CopyKey }
  /** A `sequence` other than 0 is acknowledged. */
  | { type: "setClipboard"; sequence: bigint; paste: boolean; text: string }
  | { type: "setDisplayPower"; on: boolean }
  | { type: "uhidCreate"; id: number; vendorId: number; productId: number; name: string; reportDescriptor: Uint8Array }
  | { type: "uhidInput"; id: number; data: Uint8Array }
  | { type: "uhidDestroy"; id: number }
  /** A package name; `+` before it stops it first, `?` searches by the app's label. */
  | { type: "startApp"; name: string }
  | { type: "cameraTorch"; on: boolean }
  | { type: "resizeDisplay"; width: number; height: number }
  /** Asks the media scanner to scan this file. */
  | { type: "scanFile"; path: string }
  | { type: PlainControl };

/** Messages without fields. */
export type PlainControl =
  | "expandNotifications"
  | "expandSettings"
  | "collapsePanels"
  | "rotate"
  | "openKeyboardSettings"
  | "resetVideo"
  | "cameraZoomIn"
  | "cameraZoomOut";
