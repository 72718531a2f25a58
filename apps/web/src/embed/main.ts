import { DeviceElement } from "./device-element.ts";

// A page may load it twice.
if (!customElements.get("terrarium-device")) customElements.define("terrarium-device", DeviceElement);
