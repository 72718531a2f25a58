import { androidKeys } from "./android-keys.ts";

/** Qt numbers its non-character keys from here on. */
const QT = 0x01000000;

const QT_HOME = QT + 0x10;

/** Maps `Qt::Key`, as the player sends it, to `android.view.KeyEvent`. */
const byQtKey: ReadonlyMap<number, number> = new Map([
  [0x20, androidKeys.space],
  [QT + 0x00, androidKeys.escape],
  [QT + 0x01, androidKeys.tab],
  [QT + 0x03, androidKeys.backspace],
  [QT + 0x04, androidKeys.enter],
  [QT + 0x05, androidKeys.enter],
  [QT + 0x06, androidKeys.insert],
  [QT + 0x07, androidKeys.forwardDelete],
  [QT_HOME, androidKeys.moveHome],
  [QT + 0x11, androidKeys.moveEnd],
  [QT + 0x12, androidKeys.dpadLeft],
  [QT + 0x13, androidKeys.dpadUp],
  [QT + 0x14, androidKeys.dpadRight],
  [QT + 0x15, androidKeys.dpadDown],
  [QT + 0x16, androidKeys.pageUp],
  [QT + 0x17, androidKeys.pageDown],
  [QT + 0x20, androidKeys.shiftLeft],
  [QT + 0x21, androidKeys.ctrlLeft],
  [QT + 0x22, androidKeys.metaLeft],
  [QT + 0x23, androidKeys.altLeft],
  [QT + 0x24, androidKeys.capsLock],
  [QT + 0x61, androidKeys.back],
  [QT + 0x70, androidKeys.volumeDown],
  [QT + 0x71, androidKeys.volumeMute],
  [QT + 0x72, androidKeys.volumeUp],
  // The home button of player 4.3; 4.1 sends the Home key and marks it as its own button.
  [QT + 0x90, androidKeys.home],
  [QT + 0xbe, androidKeys.appSwitch],
  [QT + 0xcf, androidKeys.copy],
  [QT + 0xd0, androidKeys.cut],
  [QT + 0xe2, androidKeys.paste],
  [QT + 0x10b, androidKeys.power],
]);

/** The Android key code of a key without a character; undefined when Android has none. */
export function androidKeyOf(key: { qtKey: number; toolbar: boolean }): number | undefined {
  return key.toolbar && key.qtKey === QT_HOME ? androidKeys.home : byQtKey.get(key.qtKey);
}
