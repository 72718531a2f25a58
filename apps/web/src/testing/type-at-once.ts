/** Leaves no time between the keys, however busy the machine is: the field has each of these texts in turn. */
export function typeAtOnce(field: HTMLInputElement, ...texts: string[]): void {
  const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value") ?? {};
  for (const text of texts) {
    // Past React, which would else take the text for its own.
    set?.call(field, text);
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
}
