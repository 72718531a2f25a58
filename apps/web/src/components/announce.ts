import { visuallyHidden } from "./hidden.ts";

let region: HTMLElement | undefined;

/** Says something to screen readers alone, in their own time: what others see happen on the page. */
export function announce(message: string): void {
  if (!region?.isConnected) {
    region = document.createElement("div");
    region.setAttribute("role", "status");
    Object.assign(region.style, visuallyHidden);
    document.body.append(region);
  }
  // A dialog that was opened since has hidden all that is beside it.
  region.removeAttribute("aria-hidden");
  region.textContent = message;
}
