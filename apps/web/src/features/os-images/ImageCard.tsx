import type { OsImage } from "@terrarium/contract";
import { useTranslation } from "react-i18next";
import type { RowAction } from "../../components/list/list.ts";
import { CatalogueCard } from "../../shared/catalogue/CatalogueCard.tsx";
import { Origin } from "../../shared/catalogue/Origin.tsx";
import { StatusMark } from "../../shared/catalogue/StatusMark.tsx";
import { FormFactors } from "./FormFactors.tsx";

interface Props {
  image: OsImage;
  me: string;
  actions: readonly RowAction[];
  open: () => void;
}

/** An image among others. */
export function ImageCard({ image, me, actions, open }: Props) {
  const { t } = useTranslation();
  const { os_version: version } = image;
  return (
    <CatalogueCard
      name={image.name}
      picture={<FormFactors image={image} />}
      caption={<Origin item={image} me={me} />}
      description={image.form_factors.map((factor) => t(`osImages.formFactors.${factor}`)).join(", ")}
      tags={[
        t("osImages.android", { version: version.os_version, api: version.sdk_version }),
        image.arch,
        ...(image.is_beta ? [t("osImages.beta")] : []),
      ]}
      facts={t("osImages.recipes", { count: image.recipe_count })}
      chip={image.status !== "READY" && <StatusMark status={image.status} />}
      actions={actions}
      open={open}
    />
  );
}
