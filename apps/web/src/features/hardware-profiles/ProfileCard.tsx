import type { HardwareProfile } from "@terrarium/contract";
import { useTranslation } from "react-i18next";
import type { RowAction } from "../../components/list/list.ts";
import { CatalogueCard, PICTURE_ROOM } from "../../shared/catalogue/CatalogueCard.tsx";
import { Origin } from "../../shared/catalogue/Origin.tsx";
import { DeviceDrawing } from "../../shared/DeviceDrawing.tsx";

interface Props {
  profile: HardwareProfile;
  me: string;
  actions: readonly RowAction[];
  open: () => void;
}

/** A profile among others. */
export function ProfileCard({ profile, me, actions, open }: Props) {
  const { t } = useTranslation();
  const { name, form_factor, display_mode, display_settings, cpu_count: cpu, ram_size, data_disk_size } = profile;
  const [first] = display_settings.displays;
  return (
    <CatalogueCard
      name={name}
      picture={<DeviceDrawing profile={profile} within={PICTURE_ROOM} />}
      caption={<Origin item={profile} me={me} />}
      tags={[
        t(`hardwareProfiles.formFactors.${form_factor}`),
        ...(display_mode === "REGULAR" ? [] : [t(`hardwareProfiles.modes.${display_mode}`)]),
        ...(first ? [t("hardwareProfiles.size", first), t("hardwareProfiles.dpi", first)] : []),
      ]}
      description={t("hardwareProfiles.hardware", { cpu, ram: ram_size / 1024, disk: data_disk_size / 1024 })}
      facts={t("hardwareProfiles.recipes", { count: profile.recipe_count })}
      actions={actions}
      open={open}
    />
  );
}
