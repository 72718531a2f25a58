/**
 * Does something once nothing is pressed: at once, or when the mouse button or finger is lifted and what it pressed has heard so. A
 * page that moves before that takes the press away.
 */
export function afterPress(act: () => void): void {
  if (document.querySelector(":active")) addEventListener("mouseup", () => setTimeout(act), { once: true });
  else act();
}
