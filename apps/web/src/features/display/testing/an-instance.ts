import type { Instance } from "@terrarium/contract";

type Hardware = Instance["hardware_profile"];

const person = { uuid: "7c9e6679-7425-40de-944b-e07fc1f90ae7", email: "ada@demo.test", name: "Ada" };

/** A phone that is online, but for what is given. */
export function anInstance({ hardware, ...fields }: Partial<Instance> & { hardware?: Partial<Hardware> } = {}) {
  return {
    uuid: "7f3a91c2-8a55-4c39-9d6e-0d7a1c1f2b3a",
    name: "payments-smoke-01",
    state: "ONLINE",
    revision: 4,
    reason: null,
    owner: person,
    created_at: "2026-03-02T09:00:00Z",
    updated_at: "2026-03-02T09:00:20Z",
    online_at: "2026-03-02T09:00:20Z",
    stops_at: null,
    timeouts: {},
    recipe: null,
    hardware_profile: {
      uuid: "1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed",
      name: "Phone",
      is_official: true,
      form_factor: "PHONE",
      display_mode: "PHONE",
      width: 720,
      height: 1280,
      density: 320,
      hw_navigation_keys: false,
      cpu_count: 4,
      ram_size: 4096,
      data_disk_size: 16384,
      ...hardware,
    },
    os_image: {},
    gpu: "",
    provider: "simulator",
    webrtc_url: "wss://device.test/display",
    publicWebrtcUrl: "wss://device.test/display",
    ...fields,
  } as unknown as Instance;
}
