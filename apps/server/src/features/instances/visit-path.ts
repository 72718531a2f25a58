import { basePath } from "@terrarium/contract";

const UUID = "[\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12}";

/**
 * Where viewers of a device come in, at the api and at its gateway alike. The first group is the device; the second says whether for its
 * display, for its miniature, because it is shown to everybody, for its adb, with files, or for a tool
 * beside its screen.
 */
export const visitPath = visitPathFor("player|miniature|showcase|adb|upload|tools");

/** The same for one of them. */
export function visitPathFor(errand: string): RegExp {
  return new RegExp(`^${basePath}/instances/(${UUID})/(${errand})/?$`);
}

export const playerPathOf = (uuid: string): string => `${basePath}/instances/${uuid}/player`;

export const miniaturePathOf = (uuid: string): string => `${basePath}/instances/${uuid}/miniature`;

export const adbPathOf = (uuid: string): string => `${basePath}/instances/${uuid}/adb`;

export const uploadPathOf = (uuid: string): string => `${basePath}/instances/${uuid}/upload`;

export const toolsPathOf = (uuid: string): string => `${basePath}/instances/${uuid}/tools`;

export const showcasePathOf = (uuid: string): string => `${basePath}/instances/${uuid}/showcase`;

/** Where the api passes on apps for a device, at its gateway; the first group is the device. */
export const appsPath = new RegExp(`^${basePath}/instances/(${UUID})/apps$`);

export const appsPathOf = (uuid: string): string => `${basePath}/instances/${uuid}/apps`;

/** Where the api asks for scenarios on a device, at its gateway; the first group is the device. */
export const scenarioPath = new RegExp(`^${basePath}/instances/(${UUID})/scenario$`);

export const scenarioPathOf = (uuid: string): string => `${basePath}/instances/${uuid}/scenario`;
