import {
  type BrokenRule,
  type CreateHardwareProfile,
  type DeviceProperty,
  devicePropertyNames,
  devicePropertyRules,
  displayCountRule,
  firstBroken,
  type HardwareProfile,
  hardwareLimits,
  isInteger,
  required,
  within,
} from "@terrarium/contract";
import type { FieldPath } from "../../components/form/field-path.ts";
import type { DrawnProfile } from "../../shared/drawing-layout.ts";

/** A display as it is typed. */
export interface DisplayFields {
  width: string;
  height: string;
  density: string;
  physical_size: string;
  show_navigation_bar: boolean;
}

/** A profile as it is typed, with the names of the API, so that what the service finds wrong is shown at the field. */
export interface ProfileFields extends Pick<
  HardwareProfile,
  "name" | "form_factor" | "display_mode" | "cpu_count" | "ram_size" | "data_disk_size"
> {
  display_settings: { displays: DisplayFields[]; hw_navigation_keys: boolean };
  device_properties: Record<DeviceProperty, string>;
}

/** A common phone: what a new profile starts with. */
const newProfile: Omit<CreateHardwareProfile, "name"> = {
  form_factor: "PHONE",
  display_mode: "REGULAR",
  display_settings: {
    displays: [{ width: 1080, height: 2400, density: 420, physical_size: null, show_navigation_bar: true }],
    hw_navigation_keys: false,
  },
  device_properties: {},
  cpu_count: 4,
  ram_size: 4096,
  data_disk_size: 16_384,
};

/** What the form starts with: a profile, or a new one. */
export function fieldsOf(profile: HardwareProfile | undefined, name = profile?.name ?? ""): ProfileFields {
  const { display_settings: settings, device_properties, ...rest } = profile ?? newProfile;
  const { form_factor, display_mode, cpu_count, ram_size, data_disk_size } = rest;
  return {
    name,
    form_factor,
    display_mode,
    cpu_count,
    ram_size,
    data_disk_size,
    display_settings: {
      hw_navigation_keys: settings.hw_navigation_keys,
      displays: settings.displays.map((display) => ({
        width: String(display.width),
        height: String(display.height),
        density: String(display.density),
        physical_size: display.physical_size === null ? "" : String(display.physical_size),
        show_navigation_bar: display.show_navigation_bar ?? !settings.hw_navigation_keys,
      })),
    },
    device_properties: Object.fromEntries(
      devicePropertyNames.map((property) => [property, device_properties[property] ?? ""]),
    ) as ProfileFields["device_properties"],
  };
}

/** The one that is added: a smaller one beside the first. */
export const nextDisplay = (first: DisplayFields | undefined): DisplayFields => ({
  width: "1080",
  height: "1920",
  density: first?.density || "420",
  physical_size: "",
  show_navigation_bar: false,
});

const numberOrNull = (text: string): number | null => (text.trim() === "" ? null : Number(text));

/** What is sent for fields that obey the rules. */
export const bodyOf = ({ display_settings: settings, device_properties, ...rest }: ProfileFields) => ({
  ...rest,
  name: rest.name.trim(),
  display_settings: {
    ...settings,
    displays: settings.displays.map((display) => ({
      ...display,
      width: Number(display.width),
      height: Number(display.height),
      density: Number(display.density),
      physical_size: numberOrNull(display.physical_size),
    })),
  },
  device_properties: Object.fromEntries(
    Object.entries(device_properties)
      .map(([property, value]) => [property, value.trim()])
      .filter(([, value]) => value !== ""),
  ) as Record<string, string>,
});

const { side, density, physicalSize } = hardwareLimits;
const displayRules = {
  width: [required, isInteger, within(side)],
  height: [required, isInteger, within(side)],
  density: [required, isInteger, within(density)],
  physical_size: [within(physicalSize)],
} as const;
const measures = ["width", "height", "density", "physical_size"] as const;

/** What is wrong with displays and properties, by the paths of their fields. */
export function* checkProfile({
  display_mode: mode,
  display_settings: { displays },
  device_properties: properties,
}: ProfileFields): Iterable<readonly [FieldPath<ProfileFields>, BrokenRule | undefined]> {
  yield ["display_mode", displayCountRule(mode, displays.length)];
  for (const [index, display] of displays.entries())
    for (const measure of measures)
      yield [`display_settings.displays.${index}.${measure}`, firstBroken(displayRules[measure], display[measure])];
  for (const property of devicePropertyNames)
    yield [`device_properties.${property}`, firstBroken(devicePropertyRules[property], properties[property].trim())];
}

/** A display whose numbers can be drawn; undefined while one of them is not typed yet. */
export function glassOf(display: DisplayFields) {
  const isWrong = measures.some((measure) => firstBroken(displayRules[measure], display[measure]));
  if (isWrong) return undefined;
  return {
    width: Number(display.width),
    height: Number(display.height),
    density: Number(display.density),
    physical_size: numberOrNull(display.physical_size),
  };
}

/** What is typed, as it can be drawn; undefined while a display cannot. */
export function drawnOf({ form_factor, display_mode, display_settings }: ProfileFields): DrawnProfile | undefined {
  const displays = display_settings.displays.flatMap((display) => glassOf(display) ?? []);
  if (displays.length === 0 || displays.length < display_settings.displays.length) return undefined;
  return {
    form_factor,
    display_mode,
    display_settings: { displays, hw_navigation_keys: display_settings.hw_navigation_keys },
  };
}
