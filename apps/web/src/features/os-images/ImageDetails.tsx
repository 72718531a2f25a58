import { Alert, Box, Button } from "@mui/material";
import { useQuery } from "@tanstack/react-query";
import type { OsImage } from "@terrarium/contract";
import { useTranslation } from "react-i18next";
import { CopyId } from "../../components/CopyId.tsx";
import type { RowAction } from "../../components/list/list.ts";
import type { Me } from "../../session/user.ts";
import { DetailsDialog } from "../../shared/catalogue/DetailsDialog.tsx";
import { Origin } from "../../shared/catalogue/Origin.tsx";
import { StatusMark } from "../../shared/catalogue/StatusMark.tsx";
import { organizationOf } from "../../shared/organizations.queries.ts";
import { FormFactors } from "./FormFactors.tsx";
import { osImageOf, recipesOf } from "./os-images.queries.ts";
import { secondsText } from "../../components/seconds-text.ts";
import { sizeText } from "../../components/size-text.ts";

interface Props {
  /** As the list knows it. */
  image: OsImage;
  me: Me;
  /** What they may do with it; the main one stands last. */
  actions: readonly RowAction[];
  onClose: () => void;
}

/** All that is known about an image, as it is now: also which recipes are made with it, and how large its saved state is. */
export function ImageDetails({ image: listed, me, actions, onClose }: Props) {
  const { t } = useTranslation();
  const { data: image = listed, error } = useQuery(osImageOf(listed.uuid));
  const { data: organization } = useQuery(organizationOf(me));
  const isSupported = !organization || organization.os_images_supported_arch.includes(image.arch);
  const { os_version: version, is_beta: isBeta } = image;
  const boot = image.boot_ms && { half: secondsText(image.boot_ms.p50), most: secondsText(image.boot_ms.p95) };
  const facts: (readonly [string, React.ReactNode])[] = [
    [t("osImages.details.status"), <StatusMark key="status" status={image.status} />],
    [t("osImages.details.owner"), <Origin key="origin" item={image} me={me.uuid} />],
    [
      t("osImages.details.android"),
      t("osImages.android", { version: version.os_version, api: version.sdk_version }) +
        (isBeta ? ` (${t("osImages.beta")})` : ""),
    ],
    [t("osImages.details.version"), image.image_version],
    [t("osImages.details.arch"), image.arch],
    [
      t("osImages.details.formFactors"),
      image.form_factors.map((factor) => t(`osImages.formFactors.${factor}`)).join(", "),
    ],
    [
      t("osImages.details.saved"),
      image.saved_size > 0 ? sizeText(image.saved_size) : t("osImages.details.nothingSaved"),
    ],
    ...(boot ? [[t("osImages.details.boot"), t("osImages.details.bootTimes", boot)] as const] : []),
    [t("osImages.details.recipes"), <Recipes key="recipes" image={image} />],
    [
      t("osImages.details.id"),
      <Box key="id" component="span" sx={{ display: "inline-flex" }}>
        <CopyId id={image.uuid} />
      </Box>,
    ],
  ];
  const warnings = [
    error && t("errors.fetchOSImage"),
    !image.is_runtime_configured && t("osImages.details.noRuntime"),
    !isSupported && t("osImages.details.archNotSupported", { arch: image.arch }),
  ].filter((warning) => typeof warning === "string");
  return (
    <DetailsDialog
      title={image.name}
      picture={<FormFactors image={image} size={56} />}
      facts={facts}
      actions={actions.map(({ id, short, run, isMain }) => (
        <Button key={id} {...(isMain ? { variant: "contained", color: "primary" } : {})} onClick={run}>
          {short}
        </Button>
      ))}
      onClose={onClose}
    >
      {warnings.map((warning) => (
        <Alert key={warning} severity="warning" sx={{ mb: 4 }}>
          {warning}
        </Alert>
      ))}
    </DetailsDialog>
  );
}

/** Which recipes are made with it: the number at once, then the names of the first few. */
function Recipes({ image: { uuid, recipe_count: count } }: { image: OsImage }) {
  const { t } = useTranslation();
  const { data } = useQuery({ ...recipesOf(uuid), enabled: count > 0 });
  const more = data ? data.count - data.results.length : 0;
  return (
    <>
      <span>{t("osImages.recipes", { count })}</span>
      {data?.results.map((recipe) => (
        <Box key={recipe.uuid} component="span" sx={line}>
          {recipe.name}
        </Box>
      ))}
      {more > 0 && (
        <Box component="span" sx={line}>
          {t("osImages.details.more", { count: more })}
        </Box>
      )}
    </>
  );
}

const line = { display: "block", color: "text.secondary", overflowWrap: "anywhere" } as const;
