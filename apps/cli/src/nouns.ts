import type {
  ApiToken,
  Capture,
  Group,
  HardwareProfile,
  Instance,
  ListedUser,
  LiveSession,
  OsImage,
  Recipe,
} from "@terrarium/contract";
import type { Noun } from "./printer.ts";

const source = ({ is_official }: { is_official: boolean }) => (is_official ? "official" : "custom");

/** A device, and the serial of its tunnel on this machine. */
export type InstanceRow = Instance & { adb_serial: string | null };

export const instanceNoun: Noun<InstanceRow> = {
  one: "instance",
  many: "instances",
  columns: [
    ["UUID", ({ uuid }) => uuid],
    ["NAME", ({ name }) => name],
    ["ADB SERIAL", ({ adb_serial }) => adb_serial ?? "-"],
    ["STATE", ({ state }) => state],
    ["RECIPE", ({ recipe }) => recipe?.name ?? "-"],
    ["STOPS AT", ({ stops_at }) => stops_at ?? "-"],
  ],
};

export const recipeNoun: Noun<Recipe> = {
  one: "recipe",
  many: "recipes",
  columns: [
    ["UUID", ({ uuid }) => uuid],
    ["NAME", ({ name }) => name],
    ["ANDROID", ({ os_image }) => os_image?.os_version.os_version ?? "-"],
    ["ARCH", ({ arch }) => arch ?? "-"],
    ["FORM", ({ hardware_profile }) => hardware_profile?.form_factor ?? "-"],
    ["SOURCE", source],
  ],
};

export const hardwareProfileNoun: Noun<HardwareProfile> = {
  one: "hwprofile",
  many: "hwprofiles",
  columns: [
    ["UUID", ({ uuid }) => uuid],
    ["NAME", ({ name }) => name],
    ["DISPLAY", ({ display_settings: { displays } }) => displays.map(showDisplay).join(", ")],
    ["FORM", ({ form_factor }) => form_factor],
    ["CPU", ({ cpu_count }) => cpu_count],
    ["RAM", ({ ram_size }) => ram_size],
    ["SOURCE", source],
  ],
};

const showDisplay = ({ width, height, density }: { width: number; height: number; density: number }) =>
  `${width} x ${height} dpi ${density}`;

export const osImageNoun: Noun<OsImage> = {
  one: "osimage",
  many: "osimages",
  columns: [
    ["UUID", ({ uuid }) => uuid],
    ["NAME", ({ name }) => name],
    ["ANDROID", ({ os_version }) => os_version.os_version],
    ["ARCH", ({ arch }) => arch],
    ["STATUS", ({ status }) => status],
    ["SOURCE", source],
  ],
};

export const liveSessionNoun: Noun<LiveSession> = {
  one: "live_session",
  many: "live_sessions",
  columns: [
    ["UUID", ({ uuid }) => uuid],
    ["DEVICE", ({ instance }) => instance.name],
    ["OWNER", ({ owner }) => owner.email],
    ["PARTICIPANTS", ({ participants }) => participants.map(({ email }) => email).join(", ") || "-"],
  ],
};

export const captureNoun: Noun<Capture> = {
  one: "capture",
  many: "captures",
  columns: [
    ["UUID", ({ uuid }) => uuid],
    ["KIND", ({ kind }) => kind],
    ["DEVICE", ({ instance_name }) => instance_name],
    ["BYTES", ({ bytes }) => bytes],
    ["MADE AT", ({ created_at }) => created_at],
  ],
};

export const tokenNoun: Noun<ApiToken> = {
  one: "api_token",
  many: "api_tokens",
  columns: [
    ["UUID", ({ uuid }) => uuid],
    ["DESCRIPTION", ({ description }) => description],
    ["PREFIX", ({ prefix }) => prefix],
    ["SCOPE", ({ scope }) => scope],
    ["EXPIRES", ({ expires_at }) => expires_at ?? "never"],
    ["LAST USE", ({ last_access }) => last_access ?? "never"],
  ],
};

export const groupNoun: Noun<Group> = {
  one: "group",
  many: "groups",
  columns: [
    ["UUID", ({ uuid }) => uuid],
    ["NAME", ({ name }) => name],
  ],
};

export const userNoun: Noun<ListedUser> = {
  one: "user",
  many: "users",
  columns: [
    ["UUID", ({ uuid }) => uuid],
    ["EMAIL", ({ email }) => email],
    ["FIRST NAME", ({ first_name }) => first_name],
    ["LAST NAME", ({ last_name }) => last_name],
    ["ROLE", ({ is_organization_manager }) => (is_organization_manager ? "manager" : "user")],
    ["STATUS", ({ invitation, is_enabled }) => (invitation ? "invited" : is_enabled ? "enabled" : "disabled")],
  ],
};
