/**
 * A ref that focuses what is shown now, such as the first choice of a dialog that opens. It is always the same function: React would call a new one
 * at each render, and so take the focus away from wherever the person has moved it.
 */
export const focusWhenShown = (element: HTMLElement | null): void => element?.focus();
