import type { Organization, Recipe } from "@terrarium/contract";
import type { TFunction } from "i18next";
import { secondsText } from "../../components/seconds-text.ts";
import { sayDuration } from "../../components/say-duration.ts";

/** What a device of a recipe would be, by the keys of its terms below `recipes.start`. Guests have no organization. */
export function startFacts(
  t: TFunction,
  { hardware_profile: profile, os_image: image, arch }: Recipe,
  organization: Organization | undefined,
) {
  const display = profile?.display_settings.displays[0];
  return {
    display: display ? t("recipes.start.size", display) : t("common.none"),
    hardware: profile
      ? t("recipes.start.hardwareValue", {
          cpu: profile.cpu_count,
          ram: profile.ram_size / 1024,
          disk: profile.data_disk_size / 1024,
        })
      : t("common.none"),
    android: image
      ? t("recipes.start.androidValue", {
          version: image.os_version.os_version,
          api: image.os_version.sdk_version,
        })
      : t("common.none"),
    arch: arch ?? t("common.none"),
    ...(image?.boot_ms && {
      boot: t("recipes.start.bootTimes", {
        half: secondsText(image.boot_ms.p50),
        most: secondsText(image.boot_ms.p95),
      }),
    }),
    ...(organization && { region: t(`recipes.start.regions.${organization.license.instances.zone}`) }),
  };
}

/** Minutes without use after which a device stops. */
export const sayIdle = (t: TFunction, minutes: number): string =>
  minutes === 0 ? t("recipes.start.never") : sayDuration(minutes, t);

/** After how long without use a device stops if nobody says otherwise. */
export function automaticIdle(t: TFunction, organization: Organization | undefined): string {
  const byDefault = organization?.preferences.timeouts.inactivity;
  if (byDefault === undefined) return t("recipes.start.automaticUnknown");
  return byDefault === 0
    ? t("recipes.start.automaticNever")
    : t("recipes.start.automatic", { time: sayIdle(t, byDefault) });
}
