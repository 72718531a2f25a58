import { type Display, openLinkedDisplay } from "@terrarium/sdk/display";

/**
 * `<terrarium-device link="…">`: a device's live picture in a page of another service, by a link that its owner has made. It takes the room that
 * the page gives it. Its `status` event has what is known about the connection, as `detail`.
 */
export class DeviceElement extends HTMLElement {
  static readonly observedAttributes = ["link"];
  #display: Display | undefined;

  connectedCallback(): void {
    if (!this.shadowRoot) this.attachShadow({ mode: "open" }).innerHTML = "<style>:host { display: block }</style>";
    this.#open();
  }

  disconnectedCallback(): void {
    this.#close();
  }

  attributeChangedCallback(): void {
    if (this.isConnected && this.shadowRoot) this.#open();
  }

  #open(): void {
    this.#close();
    const link = this.getAttribute("link");
    const place = document.createElement("div");
    place.style.height = "100%";
    this.shadowRoot?.append(place);
    if (!link) return;
    this.#display = openLinkedDisplay(place, {
      link,
      onStatus: (detail) => this.dispatchEvent(new CustomEvent("status", { detail })),
    });
  }

  #close(): void {
    this.#display?.close();
    this.#display = undefined;
    this.shadowRoot?.querySelector("div")?.remove();
  }
}
