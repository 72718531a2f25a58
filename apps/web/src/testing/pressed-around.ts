/** What a finger presses that comes down 21 pixels above or below the middle of `control`. */
export function pressedAround(control: Element): (Element | null)[] {
  const { left, top, width, height } = control.getBoundingClientRect();
  return [-21, 21].map((by) => document.elementFromPoint(left + width / 2, top + height / 2 + by));
}
