/** One thing on a device's screen, as a gateway sends it to its page. What is empty or not so is left out. */
export interface UiNode {
  /** Android's class: `android.widget.TextView`. */
  class: string;
  /** As it is called in its app: `com.example:id/title`. */
  id?: string;
  text?: string;
  /** What it is, for those who do not see it. */
  description?: string;
  /** What an empty field is for. */
  hint?: string;
  /** The app that shows it, if that is another one than shows what it lies in. */
  package?: string;
  /** Left, top, right and bottom in the display's pixels, as it is held; the last two lie outside. */
  bounds: readonly [number, number, number, number];
  /** What is so of it: `clickable`, `checked`, …; and `disabled`. */
  flags?: string[];
  children?: UiNode[];
}
