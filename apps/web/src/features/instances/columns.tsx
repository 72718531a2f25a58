import { Box } from "@mui/material";
import type { Instance } from "@terrarium/contract";
import { useTranslation } from "react-i18next";
import { CopyId } from "../../components/CopyId.tsx";
import { duration } from "../../components/dates.ts";
import type { ListColumn } from "../../components/list/list.ts";
import { RelativeTime } from "../../components/RelativeTime.tsx";
import { Tag } from "../../components/Tag.tsx";
import type { launchpad } from "../../en/launchpad.ts";
import { FormFactorTile, shapeOf } from "../../shared/FormFactorTile.tsx";
import { PersonCell } from "../../shared/PersonCell.tsx";
import { InstanceState } from "../../shared/InstanceState.tsx";
import { StopsSoon } from "./TimeToEnd.tsx";

type Id = Exclude<keyof typeof launchpad.launchpad.columns, "actions">;
type Column = ListColumn<Instance, unknown> & { id: Id };

const NONE = "–";
const number = new Intl.NumberFormat("en");
const gigabytes = (megabytes: number): string => `${number.format(megabytes / 1024)} GB`;
const mono = (text: string) => (
  <Box component="span" sx={{ typography: "mono" }} title={text}>
    {text}
  </Box>
);
/** Names are as long as people make them: they end in dots, and the whole of it is the tooltip. */
const long = (text: string) => <span title={text}>{text}</span>;
const clipped = { overflow: "hidden", textOverflow: "ellipsis" };

function Name({ name, hardware_profile: profile }: Instance) {
  return (
    <Box
      component="span"
      sx={{ display: "flex", alignItems: "center", gap: 3, color: "text.primary", fontWeight: 550 }}
    >
      <FormFactorTile shape={shapeOf(profile)} />
      <Box component="span" title={name} sx={clipped}>
        {name}
      </Box>
    </Box>
  );
}

function ShapeWord({ hardware_profile: profile }: Instance) {
  const { t } = useTranslation();
  return t(`launchpad.shapes.${shapeOf(profile)}`);
}

function Minutes({ minutes }: { minutes: number }) {
  const { t } = useTranslation();
  const { count, unit } = duration(minutes);
  return minutes === 0 ? NONE : t(`common.${unit}`, { count });
}

/** Every column of the devices' table, in its order. */
export const columns: readonly Column[] = [
  { id: "name", flexWidth: 4, shown: "always", sortBy: "name", cell: (device) => <Name {...device} /> },
  {
    id: "state",
    flexWidth: 2.5,
    shown: "always",
    sortBy: "state",
    cell: (device) => (
      <Box component="span" sx={{ display: "inline-flex", alignItems: "center", flexWrap: "wrap", columnGap: 2 }}>
        <InstanceState {...device} />
        <StopsSoon {...device} />
      </Box>
    ),
  },
  { id: "uuid", flexWidth: 2, shown: "always", cell: ({ uuid }) => <CopyId id={uuid} /> },
  { id: "recipeName", flexWidth: 3.5, shown: "always", cell: ({ recipe }) => (recipe ? long(recipe.name) : NONE) },
  { id: "recipeUuid", flexWidth: 2, cell: ({ recipe }) => (recipe ? <CopyId id={recipe.uuid} /> : NONE) },
  { id: "owner", flexWidth: 3, shown: "first", sortBy: "owner", cell: ({ owner }) => <PersonCell person={owner} /> },
  {
    id: "updatedAt",
    flexWidth: 2.5,
    align: "right",
    shown: "first",
    sortBy: "updated_at",
    isNewestFirst: true,
    cell: ({ updated_at: time }) => <RelativeTime time={time} />,
  },
  { id: "VDTimeout", flexWidth: 2, align: "right", cell: ({ timeouts }) => <Minutes minutes={timeouts.inactivity} /> },
  { id: "globalTimeout", flexWidth: 2, align: "right", cell: ({ timeouts }) => <Minutes minutes={timeouts.global} /> },
  {
    id: "createdAt",
    flexWidth: 2.5,
    align: "right",
    sortBy: "created_at",
    isNewestFirst: true,
    cell: ({ created_at: time }) => <RelativeTime time={time} />,
  },
  { id: "androidVersion", flexWidth: 2, cell: ({ os_image: image }) => image.os_version.os_version },
  { id: "apiLevel", flexWidth: 2, align: "right", cell: ({ os_image: image }) => image.os_version.sdk_version },
  { id: "deviceType", flexWidth: 2, cell: (device) => <ShapeWord {...device} /> },
  { id: "width", flexWidth: 1.5, align: "right", cell: ({ hardware_profile: profile }) => profile.width },
  { id: "height", flexWidth: 1.5, align: "right", cell: ({ hardware_profile: profile }) => profile.height },
  { id: "dpi", flexWidth: 1.5, align: "right", cell: ({ hardware_profile: profile }) => profile.density },
  { id: "gpu", flexWidth: 2, cell: ({ gpu }) => long(gpu) },
  { id: "vCPUs", flexWidth: 1.5, align: "right", cell: ({ hardware_profile: profile }) => profile.cpu_count },
  { id: "architecture", flexWidth: 2, cell: ({ os_image: image }) => <Tag>{image.arch}</Tag> },
  { id: "ram", flexWidth: 1.5, align: "right", cell: ({ hardware_profile: { ram_size } }) => gigabytes(ram_size) },
  {
    id: "diskSize",
    flexWidth: 1.5,
    align: "right",
    cell: ({ hardware_profile: { data_disk_size } }) => gigabytes(data_disk_size),
  },
  { id: "provider", flexWidth: 2, cell: ({ provider }) => long(provider) },
  { id: "genymotionVersion", flexWidth: 2, cell: ({ os_image: image }) => mono(image.image_version) },
];
