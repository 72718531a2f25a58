import { Button, Typography } from "@mui/material";
import { type DeviceProperty, densityNameOf, devicePropertyNames, type HardwareProfile } from "@terrarium/contract";
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import { nameOf } from "../../components/PersonMark.tsx";
import type { RowAction } from "../../components/list/list.ts";
import { DetailsDialog } from "../../shared/catalogue/DetailsDialog.tsx";
import { Origin } from "../../shared/catalogue/Origin.tsx";
import { DeviceDrawing } from "../../shared/DeviceDrawing.tsx";
import { inchesOf } from "../../shared/drawing-layout.ts";
import { displayName } from "./display-name.ts";

interface Props {
  profile: HardwareProfile;
  /** The uuid of whoever looks. */
  me: string;
  /** What they may do with it; the main one stands last. */
  actions: readonly RowAction[];
  onClose: () => void;
}

/** All that is known about a profile. */
export function ProfileDetails({ profile, me, actions, onClose }: Props) {
  const { t } = useTranslation();
  const isChangeable = actions.some(({ id }) => id === "edit");
  return (
    <DetailsDialog
      title={profile.name}
      picture={<DeviceDrawing profile={profile} within={room} />}
      facts={[
        ...factsOf(profile, t),
        [t("hardwareProfiles.details.recipes"), t("hardwareProfiles.recipes", { count: profile.recipe_count })],
        [t("hardwareProfiles.details.owner"), <Origin key="origin" item={profile} me={me} />],
        ...propertiesOf(profile, t),
      ]}
      actions={actions.map(({ id, short, run, isMain }) => (
        <Button key={id} {...(isMain ? { variant: "contained", color: "primary" } : {})} onClick={run}>
          {short}
        </Button>
      ))}
      onClose={onClose}
    >
      {!isChangeable && (
        <Typography variant="body2" color="textSecondary" sx={{ mb: 4 }}>
          {profile.is_official || !profile.owner
            ? t("hardwareProfiles.details.officialHelp")
            : t("hardwareProfiles.details.othersHelp", { name: nameOf(profile.owner) })}
        </Typography>
      )}
    </DetailsDialog>
  );
}

type Facts = (readonly [string, React.ReactNode])[];

function factsOf(profile: HardwareProfile, t: TFunction): Facts {
  const { displays } = profile.display_settings;
  const mb = (value: number) => t("hardwareProfiles.details.mb", { value });
  return [
    [t("hardwareProfiles.details.formFactor"), t(`hardwareProfiles.formFactors.${profile.form_factor}`)],
    [t("hardwareProfiles.details.mode"), t(`hardwareProfiles.modes.${profile.display_mode}`)],
    ...displays.map((display, index): Facts[number] => [
      displayName(t, profile.display_mode, index, displays.length),
      t("hardwareProfiles.details.displayValue", {
        ...display,
        name: densityNameOf(display.density),
        inches: inchesOf(display),
      }),
    ]),
    [t("hardwareProfiles.details.navigation"), t(`hardwareProfiles.details.${navigationOf(profile)}`)],
    [t("hardwareProfiles.details.cpu"), profile.cpu_count],
    [t("hardwareProfiles.details.ram"), mb(profile.ram_size)],
    [t("hardwareProfiles.details.disk"), mb(profile.data_disk_size)],
  ];
}

function navigationOf({ display_settings: { displays, hw_navigation_keys: hasKeys } }: HardwareProfile) {
  const hasBar = displays[0]?.show_navigation_bar ?? false;
  if (hasKeys) return hasBar ? "keysAndBar" : "keys";
  return hasBar ? "bar" : "neither";
}

/** The properties it overrides, in the order of the form. Official profiles may override others, by their own names. */
function propertiesOf({ device_properties: properties }: HardwareProfile, t: TFunction): Facts {
  const known = devicePropertyNames.filter((name) => properties[name] !== undefined);
  const others = Object.keys(properties).filter((name) => !devicePropertyNames.includes(name as DeviceProperty));
  return [
    ...known.map((name): Facts[number] => [t(`hardwareProfiles.form.properties.${name}`), properties[name]]),
    ...others.map((name): Facts[number] => [name, properties[name]]),
  ];
}

const room = { width: 360, height: 164 };
