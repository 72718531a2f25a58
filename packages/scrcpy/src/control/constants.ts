/** The first byte of each message from the client to the device. */
export const controlTypes = {
  key: 0,
  text: 1,
  touch: 2,
  scroll: 3,
  backOrScreenOn: 4,
  expandNotifications: 5,
  expandSettings: 6,
  collapsePanels: 7,
  getClipboard: 8,
  setClipboard: 9,
  setDisplayPower: 10,
  rotate: 11,
  uhidCreate: 12,
  uhidInput: 13,
  uhidDestroy: 14,
  openKeyboardSettings: 15,
  startApp: 16,
  resetVideo: 17,
  cameraTorch: 18,
  cameraZoomIn: 19,
  cameraZoomOut: 20,
  resizeDisplay: 21,
  scanFile: 22,
} as const;

/** The most either side sends in one message. */
export const MAX_MESSAGE_BYTES = 1 << 18;

/** The client cuts longer text, because the device would freeze while typing it. */
export const MAX_TEXT_BYTES = 300;
/** The limit of scrcpy's own client. */
export const MAX_CLIPBOARD_BYTES = MAX_MESSAGE_BYTES - 14;
export const MAX_PATH_BYTES = 256;
export const MAX_APP_NAME_BYTES = 255;
export const MAX_UHID_NAME_BYTES = 127;

/** Pointers other than numbered fingers. */
export const MOUSE_POINTER_ID = -1n;
export const GENERIC_FINGER_POINTER_ID = -2n;
/** The second finger of a pinch made with one mouse. */
export const VIRTUAL_FINGER_POINTER_ID = -3n;

/** As `android.view.KeyEvent` numbers them. */
export const keyActions = { down: 0, up: 1 } as const;
/** As `android.view.MotionEvent` numbers them; only a mouse hovers. */
export const touchActions = { down: 0, up: 1, move: 2, cancel: 3, hoverMove: 7, hoverEnter: 9, hoverExit: 10 } as const;
export const copyKeys = { none: 0, copy: 1, cut: 2 } as const;
