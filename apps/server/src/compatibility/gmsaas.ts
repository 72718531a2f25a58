import { z } from "zod";
import { type Call, type Client, type Happens, isRefused, signIn } from "./client.ts";
import { hardwareProfile, instance, instanceIn, osImage, pageOf, recipe, refusal, socket } from "./fields.ts";

interface Generation {
  versions: string;
  credential: Client["credential"];
  /** Words that programs which run it add to what it says of itself. */
  runBy?: string;
  /** How the list of devices is spelt. */
  devices: "/v2/instances" | "/v2/instances/";
  /** Before 1.12 it did not ask for architectures. */
  arch: "" | "&arch=x86&arch=x86_64&arch=arm64";
  /** How a device is started: with `--stop-when-inactive`, without an option, or with `--max-run-duration`. */
  start: { stop_when_inactive: boolean } | { timeouts: { inactivity: 0; global?: number } };
  /** What it calls whatever belongs to a recipe when it is deleted. Before 1.16 it took each for the other. */
  also: "delete_os_image" | "delete_hardware_profile";
  /** What its daemon asks for `instances adbconnect`. */
  adb: readonly Call[];
  more?: readonly Call[];
}

const accessToken: Call = {
  does: "its daemon asks for a token",
  sends: "POST /v1/instances/access-token",
  body: { instance_uuid: "{device}" },
  status: 200,
  reads: z.looseObject({ access_token: z.string().min(1) }),
};
const daemon: readonly Call[] = [
  accessToken,
  {
    does: "its daemon asks where adb is",
    sends: "GET /v1/instances/{device}",
    status: 200,
    reads: z.looseObject({ adb_url: socket }),
  },
];
const olderDaemon: readonly Call[] = [
  accessToken,
  {
    does: "its daemon asks where adb is",
    sends: "GET /v1/instances/{device}?format=template",
    status: 200,
    reads: z.looseObject({ publicAdbUrl: socket }),
  },
];

const poll = { does: "looks for the state", sends: "GET /v1/instances/{device}", body: {} } as const;

const session = ({ devices, arch, start, also, adb, more = [] }: Generation): (Call | Happens)[] => [
  { does: "doctor", sends: `GET ${devices}`, status: 200 },
  {
    does: "recipes list",
    sends: `GET /v3/recipes/?page_size=50&page=1&source=all${arch}`,
    status: 200,
    reads: pageOf(recipe),
    saves: { recipe: "results.0.uuid", image: "results.0.os_image.uuid" },
  },
  {
    does: "recipes get",
    sends: `GET /v3/recipes/?page_size=50&page=1&source=all&search={recipe}${arch}`,
    status: 200,
    reads: pageOf(recipe),
  },
  {
    does: "hwprofiles list",
    sends: "GET /v1/hardware-profiles/?page_size=50&page=1",
    status: 200,
    reads: pageOf(hardwareProfile),
  },
  {
    does: "hwprofiles create",
    sends: "POST /v1/hardware-profiles/",
    body: {
      name: "Moss",
      device_properties: {},
      display_settings: { displays: [{ width: 720, height: 1280, density: 320 }], hw_navigation_keys: false },
      form_factor: "PHONE",
      cpu_count: 4,
      ram_size: 4096,
      data_disk_size: 16384,
    },
    status: 201,
    reads: hardwareProfile,
    saves: { profile: "uuid" },
  },
  { does: "hwprofiles get", sends: "GET /v1/hardware-profiles/{profile}", status: 200, reads: hardwareProfile },
  {
    does: "osimages list",
    sends: `GET /v1/os-images/?page_size=-1&page=1${arch}`,
    status: 200,
    reads: pageOf(osImage),
  },
  {
    does: "osimages clone",
    sends: "POST /v1/os-images/{image}/duplicate/",
    body: { name: "Moss 1" },
    status: 201,
    reads: osImage,
    saves: { image: "uuid" },
  },
  { does: "osimages get", sends: "GET /v1/os-images/{image}", status: 200, reads: osImage },
  {
    does: "recipes create",
    sends: "POST /v1/recipes",
    body: { hardware_profile_uuid: "{profile}", os_image_uuid: "{image}", name: "Moss", description: "Green" },
    status: 201,
    reads: recipe,
    saves: { own: "uuid" },
  },
  {
    // Its word for their own as well.
    does: "recipes list --source custom",
    sends: `GET /v3/recipes/?page_size=50&page=1&source=shared${arch}`,
    status: 200,
    reads: pageOf(recipe),
    saves: { own: "results.0.uuid" },
  },
  {
    does: "instances start",
    sends: "POST /v1/recipes/{recipe}/start-disposable",
    body: { instance_name: "ferns", ...start },
    status: 201,
    reads: instanceIn("CREATING"),
    saves: { device: "uuid" },
  },
  { ...poll, status: 200, reads: instanceIn("CREATING") },
  { happens: "comes online" },
  { ...poll, status: 200, reads: instanceIn("ONLINE") },
  {
    does: "instances list",
    sends: `GET ${devices}?page_size=50&page=1&ordering=%2Bcreated_at`,
    status: 200,
    reads: pageOf(instance),
  },
  { does: "instances get", sends: "GET /v1/instances/{device}", status: 200, reads: instance },
  ...adb,
  {
    does: "instances save, of a device of a recipe that is not theirs",
    sends: "POST /v1/instances/{device}/save",
    body: { action: "SAVE" },
    status: 400,
    reads: refusal("RECIPE_NOT_OWNED"),
  },
  {
    does: "instances stop",
    sends: "POST /v1/instances/{device}/stop-disposable",
    body: {},
    status: 200,
    reads: instanceIn("STOPPING"),
  },
  { ...poll, status: 200, reads: instanceIn("STOPPING") },
  { happens: "is gone" },
  { ...poll, status: 404, reads: refusal("INSTANCE_ENDED") },
  { does: "recipes delete", sends: "DELETE /v1/recipes/{own}", body: { [also]: true }, status: 204 },
  { does: "osimages delete", sends: "DELETE /v1/os-images/{image}", status: also === "delete_os_image" ? 404 : 204 },
  {
    does: "hwprofiles delete",
    sends: "DELETE /v1/hardware-profiles/{profile}",
    status: also === "delete_os_image" ? 204 : 404,
  },
  {
    does: "instances start, of another",
    sends: "POST /v1/recipes/{recipe}/start-disposable",
    body: { instance_name: "mosses", ...start },
    status: 201,
    reads: instance,
    saves: { device: "uuid" },
  },
  { happens: "comes online" },
  {
    does: "instances saveas",
    sends: "POST /v1/instances/{device}/save",
    body: { action: "SAVE_AS", new_recipe_name: "Moss 2", new_os_image_name: "Moss 2" },
    status: 201,
    reads: recipe,
  },
  { ...poll, status: 200, reads: instanceIn("SAVING") },
  ...more,
];

const clientOf = (generation: Generation): Client => ({
  name: `gmsaas ${generation.versions}${generation.runBy ? `, run by ${generation.runBy}` : ""}`,
  credential: generation.credential,
  headers: {
    "user-agent": ["Genymobile gmsaas", generation.versions, generation.runBy].filter(Boolean).join(" "),
    "content-type": "application/json",
  },
  session: [...(generation.credential === "session" ? [isRefused, signIn] : []), ...session(generation)],
});

const signOut: Call = { does: "auth logout", sends: "POST /v1/users/signout", status: 204 };
const signedOut: Call = { does: "finds that it is signed out", sends: "GET /v2/instances", status: 401 };

const byPassword = {
  versions: "1.8 and 1.9",
  credential: "session",
  devices: "/v2/instances",
  arch: "",
  start: { stop_when_inactive: true },
  also: "delete_hardware_profile",
  // It asks for what no longer exists.
  adb: [],
  more: [signOut, signedOut],
} as const satisfies Generation;
const byToken = {
  ...byPassword,
  versions: "1.11",
  credential: "api token",
  start: { timeouts: { inactivity: 0 } },
  adb: olderDaemon,
  more: [],
} as const satisfies Generation;
const withArm = {
  ...byToken,
  versions: "1.12 to 1.15",
  arch: "&arch=x86&arch=x86_64&arch=arm64",
  start: { timeouts: { inactivity: 0, global: 90 } },
} as const satisfies Generation;
const newest = {
  ...withArm,
  versions: "1.16",
  devices: "/v2/instances/",
  also: "delete_os_image",
  adb: daemon,
} as const satisfies Generation;

/** gmsaas in its generations, read from the sources of what PyPI has, and the tools that run it. */
export const gmsaas: readonly Client[] = [
  clientOf(byPassword),
  clientOf(byToken),
  clientOf(withArm),
  clientOf(newest),
  // The action of GitHub signs in with a password still.
  clientOf({
    ...newest,
    credential: "session",
    start: { timeouts: { inactivity: 0 } },
    runBy: "githubactions",
    more: [signOut],
  }),
  clientOf({ ...newest, start: { timeouts: { inactivity: 0 } }, runBy: "detox" }),
  {
    ...clientOf({ ...newest, runBy: "a manager" }),
    role: "manager",
    session: [
      {
        does: "admin usage",
        sends: "GET /v1/reporting/usage?from_date=2026-01-01T00:00:00.000000Z&to_date=2026-01-31T23:59:59.999000Z",
        status: 200,
        reads: z.looseObject({
          count: z.int(),
          results: z.array(z.looseObject({ email: z.email(), instance_count: z.int(), duration_seconds: z.int() })),
        }),
      },
    ],
  },
];
