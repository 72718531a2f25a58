import { answerCall, endCall } from "@terrarium/simulator/screen";
import { moveFocus, pressFocused, stepFocus } from "../ui/focus.ts";
import type { Ui } from "../ui/ui.ts";
import { keys, keyText } from "./key-text.ts";
import type { System } from "./system.ts";

const SHIFT = 0x1;
const CONTROL_OR_ALT = 0x1000 | 0x2;

/** The keys that open a lock without a code, as Android's own does. */
const unlocking = new Set<number>([keys.menu, keys.space, keys.enter]);

/** Handles a key that goes down: the device's own keys first, then the app in front, the text, the focus. */
export function pressKey(system: System, ui: Ui, code: number, metaState: number): void {
  const { state } = system.host;
  if (code === keys.power) return state.set({ screenOn: !state.values.screenOn });
  if (code === keys.sleep) return state.set({ screenOn: false });
  if (code === keys.wakeUp) return state.set({ screenOn: true });
  if (code === keys.call) return answerCall(system.host);
  if (code === keys.endCall) return endCall(system.host, "rejected");
  if (code === keys.volumeUp) return system.volume.change(system.host, 1);
  if (code === keys.volumeDown) return system.volume.change(system.host, -1);
  if (code === keys.mute) return system.volume.change(system.host, -state.values.volume);
  if (!state.values.screenOn) return;
  if (system.locked) return unlocking.has(code) ? system.unlock() : undefined;
  if (systemKey(system, code)) return;
  if (system.tasks.front?.key?.(code)) return;
  if (system.field && editKey(system, code, metaState)) return;
  if (focusKey(ui, code, metaState)) return;
  const typed = keyText(code, metaState);
  if (typed && (metaState & CONTROL_OR_ALT) === 0) system.type(typed);
}

function systemKey(system: System, code: number): boolean {
  switch (code) {
    case keys.home:
      system.home();
      return true;
    case keys.back:
    case keys.escape:
      system.back();
      return true;
    case keys.appSwitch:
      system.recents();
      return true;
    case keys.search:
      system.showApps(true);
      return true;
    case keys.allApps:
      system.showApps();
      return true;
    case keys.notification:
      system.shade.open = !system.shade.open;
      return true;
    default:
      return false;
  }
}

/** Keys inside a text. */
function editKey(system: System, code: number, metaState: number): boolean {
  const { field } = system;
  if (!field) return false;
  field.touchedAt = system.host.clock.monotonic();
  const text = (metaState & CONTROL_OR_ALT) === 0 ? keyText(code, metaState) : undefined;
  if (text) field.insert(text);
  else if (code === keys.backspace) field.backspace();
  else if (code === keys.delete) field.delete();
  else if (code === keys.enter || code === keys.numpadEnter) field.enter();
  else if (code === keys.left) field.left();
  else if (code === keys.right) field.right();
  else if (code === keys.moveHome) field.place(0);
  else if (code === keys.moveEnd) field.place(field.text.length);
  else return false;
  return true;
}

/** Arrow keys move from one thing to the next; enter and the middle key press it. */
function focusKey(ui: Ui, code: number, metaState: number): boolean {
  switch (code) {
    case keys.up:
      return moveFocus(ui, "up");
    case keys.down:
      return moveFocus(ui, "down");
    case keys.left:
      return moveFocus(ui, "left");
    case keys.right:
      return moveFocus(ui, "right");
    case keys.center:
    case keys.enter:
    case keys.numpadEnter:
      return pressFocused(ui);
    case keys.tab:
      stepFocus(ui, metaState & SHIFT ? -1 : 1);
      return true;
    default:
      return false;
  }
}
