import {
  type CompleteRecipe,
  type CurrentSettings,
  type HardwareProfile,
  type Instance,
  type LiveSession,
  type Organization,
  type OsImage,
  type Participant,
  type Puzzle,
  type User,
  zones,
} from "@terrarium/contract";
import { meOf } from "../session/user.ts";

let counted = 0;
/** A new identifier of version 4, the same in each run. */
export const anId = (): string => `00000000-0000-4000-8000-${String(++counted).padStart(12, "0")}`;

export const organizationId = "00000000-0000-4000-8000-a00000000000";
export const managerId = "00000000-0000-4000-8000-b00000000000";
const since = "2026-03-05T14:00:00.000Z";

export function aUser(fields: Partial<User> = {}): User {
  return {
    uuid: managerId,
    genyid: managerId,
    email: "manager@demo.test",
    first_name: "Mara",
    last_name: "Lindqvist",
    is_organization_manager: true,
    is_enabled: true,
    is_validated: true,
    tnc_accepted: true,
    organization: { uuid: organizationId, name: "Northwind Mobile" },
    groups: [],
    front_preferences: {},
    created_at: since,
    ...fields,
  };
}
export const manager = meOf(aUser());
export const user = meOf(aUser({ is_organization_manager: false }));
export const operator = meOf(aUser({ is_organization_manager: false, organization: null, is_operator: true }));
export const guest = meOf(aUser({ is_organization_manager: false, organization: null }));

export const anOrganization = (running = 3, max = 10): Organization => ({
  uuid: organizationId,
  name: "Northwind Mobile",
  company_name: "Northwind Mobile Ltd",
  vat_number: "GB123456789",
  additional_billing_contact_email: null,
  address: null,
  preferences: { timeouts: { inactivity: 30, global: 0, api: 1440 }, embed_origins: [], queue: false },
  os_images_supported_arch: ["arm64"],
  is_debtor: false,
  tax_rate: null,
  license: {
    type: "metered",
    is_active: true,
    expires_at: null,
    minuteBalance: 0,
    trial: null,
    subscription: null,
    instances: { max, zone: "europe", zone_type: "shared" },
  },
  requires_second_factor: false,
  quotas: { group_allocation: 10, group_allocation_remaining: 10 },
  running_instances: running,
});

/** An installation whose operator has set nothing. */
export const someSettings = (fields: Partial<CurrentSettings> = {}): CurrentSettings => ({
  version: "0.0.0",
  demo_accounts: [],
  passkeys_at: null,
  zones,
  sso_providers: [],
  has_mailbox: false,
  showcase: null,
  operator: { name: null, address: null, contact: null, court: null },
  turnstile_site_key: null,
  offer: {
    currency: "USD",
    minute_cents: 5,
    unlimited_monthly_cents: 20_600,
    annual_discount: 17,
    payg_threshold_cents: 5_000,
    card_hold_cents: 100,
    trial: { minutes: 60, days: 14 },
  },
  trial_review_days: 2,
  links: {
    documentation: "/docs",
    api_reference: "/openapi.json",
    repository: null,
    feedback: "/feedback",
    support: "/docs",
  },
  has_support: false,
  status: null,
  analytics: null,
  banner_excluded_organization: null,
  time: "2026-03-05T14:00:00.000Z",
  ...fields,
});

const hardware = {
  name: "Phone 6.1 in",
  is_official: true,
  form_factor: "PHONE",
  display_mode: "REGULAR",
  cpu_count: 4,
  ram_size: 4096,
  data_disk_size: 32_768,
} as const;
const image = {
  name: "Android 15",
  is_official: true,
  is_beta: false,
  status: "READY",
  arch: "arm64",
  image_version: "35.2",
  os_version: { os_version: "15.0", sdk_version: 35 },
} as const;

type InstanceFields = Partial<Omit<Instance, "hardware_profile">> & {
  hardware?: Partial<Instance["hardware_profile"]>;
};

/** A phone that is online, but for what is given. */
export function anInstance({ hardware: ownHardware, ...fields }: InstanceFields = {}): Instance {
  const uuid = anId();
  return {
    uuid,
    name: `device-${counted}`,
    state: "ONLINE",
    revision: 1,
    reason: null,
    owner: { uuid: managerId, email: "manager@demo.test", first_name: "Mara", last_name: "Lindqvist" },
    created_at: since,
    updated_at: since,
    online_at: since,
    stops_at: null,
    stops_because: null,
    queue: null,
    can_save: true,
    save: null,
    timeouts: { inactivity: 120, global: 0 },
    recipe: {
      uuid: anId(),
      name: "Phone 6.1 in, Android 15",
      status: "READY",
      revision: 1,
      source: "DEFAULT",
      owner: null,
      ova: { name: "Phone 6.1 in, Android 15", is_official: true },
      items: [],
    },
    hardware_profile: {
      uuid: anId(),
      ...hardware,
      width: 1080,
      height: 2400,
      density: 420,
      hw_navigation_keys: false,
      ...ownHardware,
    },
    os_image: { uuid: anId(), ...image },
    gpu: "software",
    provider: "simulator",
    webrtc_url: "wss://here.test/player",
    miniature_url: "wss://here.test/miniature",
    tools_url: "wss://here.test/tools",
    publicWebrtcUrl: "wss://here.test/player",
    file_upload_url: "wss://here.test/upload",
    adb_url: "wss://here.test/adb",
    publicAdbUrl: "wss://here.test/adb",
    ...fields,
  };
}

/** An official phone, but for what is given. */
export const aHardwareProfile = (fields: Partial<HardwareProfile> = {}): HardwareProfile => ({
  uuid: anId(),
  ...hardware,
  owner: null,
  recipe_count: 1,
  status: "READY",
  revision: 1,
  display_settings: {
    displays: [{ width: 1080, height: 2400, density: 420, physical_size: null, show_navigation_bar: true }],
    hw_navigation_keys: false,
  },
  device_properties: {},
  ...fields,
});

/** An official image for phones, but for what is given. */
export const anOsImage = (fields: Partial<OsImage> = {}): OsImage => ({
  uuid: anId(),
  ...image,
  os_type: "ANDROID",
  owner: null,
  recipe_count: 1,
  form_factors: ["PHONE"],
  supported_form_factors: ["PHONE"],
  runtime: "simulator",
  is_runtime_configured: true,
  saved_size: 0,
  boot_ms: null,
  revision: 1,
  ...fields,
});

type RecipeFields = Partial<Omit<CompleteRecipe, "hardware_profile">> & {
  hardware?: Partial<CompleteRecipe["hardware_profile"]>;
};
/** An official phone, but for what is given. */
export function aRecipe({ hardware: ownHardware, ...fields }: RecipeFields = {}): CompleteRecipe {
  return {
    uuid: anId(),
    name: `Recipe ${counted}`,
    description: "",
    status: "READY",
    revision: 1,
    source: "DEFAULT",
    is_official: true,
    arch: "arm64",
    owner: null,
    right: null,
    actions: ["start", "duplicate"],
    share: null,
    hardware_profile: {
      ...aHardwareProfile(),
      ...ownHardware,
    },
    os_image: anOsImage(),
    can_roll_back: false,
    created_at: since,
    updated_at: since,
    ...fields,
  };
}

/** Of little work. */
export const aPuzzle = (nonce = "01"): Puzzle => ({
  parameters: {
    algorithm: "SHA-256",
    cost: 2,
    data: { expires: 4_000_000_000_000 },
    keyLength: 32,
    keyPrefix: "0",
    nonce,
    salt: "00112233",
  },
  signature: "ab",
});

/** A live session of Mara's device. */
export const aLiveSession = (fields: Partial<LiveSession> = {}): LiveSession => ({
  uuid: anId(),
  created_at: since,
  owner: { genyid: managerId, first_name: "Mara", last_name: "Lindqvist", email: "manager@demo.test" },
  participants: [],
  instance: { uuid: anId(), name: "payments-smoke-01" },
  ...fields,
});

export function aParticipant(name: string, fields: Partial<Participant> = {}): Participant {
  const email = `${name.toLowerCase()}@demo.test`;
  const person = { genyid: anId(), email, first_name: name, last_name: "" };
  return { uuid: anId(), ...person, can_control: true, created_at: since, ...fields };
}
