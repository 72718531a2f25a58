import { Box } from "@mui/material";
import type { Instance } from "@terrarium/contract";
import { CopyId } from "../../components/CopyId.tsx";
import { dateTime } from "../../components/dates.ts";
import { sayDuration } from "../../components/say-duration.ts";
import { FormFactorTile, shapeOf } from "../../shared/FormFactorTile.tsx";
import { nameOf, PersonMark } from "../../components/PersonMark.tsx";
import type { DataColumn } from "../../components/TableHeader.tsx";
import { Tag } from "../../components/Tag.tsx";
import { type ColumnId, columnWidth, isSortable } from "./column-ids.ts";
import { DeviceActions } from "./DeviceActions.tsx";
import { InstanceState } from "../../shared/InstanceState.tsx";
import type { Words } from "./words.ts";

/** `flexWidth` counts twentieths of the table. */
interface Definition {
  flexWidth: number;
  align?: "right";
  cell: (instance: Instance, words: Words) => React.ReactNode;
}

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

const definitions: Record<ColumnId, Definition> = {
  name: {
    flexWidth: 4,
    cell: ({ name, hardware_profile: profile }, { t }) => (
      <Box
        component="span"
        sx={{ display: "flex", alignItems: "center", gap: 3, color: "text.primary", fontWeight: 550 }}
      >
        <FormFactorTile shape={shapeOf(profile)} label={t(`launchpad.shapes.${shapeOf(profile)}`)} />
        <Box component="span" title={name} sx={{ overflow: "hidden", textOverflow: "ellipsis" }}>
          {name}
        </Box>
      </Box>
    ),
  },
  state: { flexWidth: 2, cell: ({ state }) => <InstanceState state={state} /> },
  uuid: { flexWidth: 2, cell: ({ uuid }) => <CopyId id={uuid} /> },
  recipeName: { flexWidth: 3.5, cell: ({ recipe }) => (recipe ? long(recipe.name) : NONE) },
  recipeUuid: { flexWidth: 2, cell: ({ recipe }) => (recipe ? <CopyId id={recipe.uuid} /> : NONE) },
  owner: {
    flexWidth: 3,
    cell: ({ owner }, { t, me }) => (
      <Box component="span" sx={{ display: "flex", alignItems: "center", gap: 2 }} title={owner.email}>
        <PersonMark person={owner} />
        <Box component="span" sx={{ overflow: "hidden", textOverflow: "ellipsis" }}>
          {owner.uuid === me.uuid ? t("common.you") : nameOf(owner)}
        </Box>
      </Box>
    ),
  },
  updatedAt: {
    flexWidth: 3.5,
    align: "right",
    cell: (row, { t }) => dateTime(row.updated_at, t("common.notAvailable")),
  },
  VDTimeout: {
    flexWidth: 2,
    align: "right",
    cell: ({ timeouts }, words) => timeout(timeouts.inactivity, words),
  },
  globalTimeout: {
    flexWidth: 2,
    align: "right",
    cell: ({ timeouts }, words) => timeout(timeouts.global, words),
  },
  createdAt: {
    flexWidth: 3.5,
    align: "right",
    cell: (row, { t }) => dateTime(row.created_at, t("common.notAvailable")),
  },
  androidVersion: { flexWidth: 2, cell: ({ os_image: image }) => image.os_version.os_version },
  apiLevel: { flexWidth: 2, align: "right", cell: ({ os_image: image }) => image.os_version.sdk_version },
  deviceType: {
    flexWidth: 2,
    cell: ({ hardware_profile: profile }, { t }) => t(`launchpad.shapes.${shapeOf(profile)}`),
  },
  width: { flexWidth: 1.5, align: "right", cell: ({ hardware_profile: profile }) => profile.width },
  height: { flexWidth: 1.5, align: "right", cell: ({ hardware_profile: profile }) => profile.height },
  dpi: { flexWidth: 1.5, align: "right", cell: ({ hardware_profile: profile }) => profile.density },
  gpu: { flexWidth: 2, cell: ({ gpu }) => long(gpu) },
  vCPUs: { flexWidth: 1.5, align: "right", cell: ({ hardware_profile: profile }) => profile.cpu_count },
  architecture: { flexWidth: 2, cell: ({ os_image: image }) => <Tag>{image.arch}</Tag> },
  ram: {
    flexWidth: 1.5,
    align: "right",
    cell: ({ hardware_profile: profile }) => gigabytes(profile.ram_size),
  },
  diskSize: {
    flexWidth: 1.5,
    align: "right",
    cell: ({ hardware_profile: profile }) => gigabytes(profile.data_disk_size),
  },
  provider: { flexWidth: 2, cell: ({ provider }) => long(provider) },
  genymotionVersion: { flexWidth: 2, cell: ({ os_image: image }) => mono(image.image_version) },
  actions: {
    flexWidth: 2,
    align: "right",
    cell: (instance, { onAct }) => <DeviceActions instance={instance} onAct={onAct} />,
  },
};

const timeout = (minutes: number, { t }: Words): string => (minutes === 0 ? NONE : sayDuration(minutes, t));

/** So many pixels each twentieth needs for its words; a table of more columns than fit scrolls sideways. */
const MIN_UNIT_PX = 52;
export const minWidthOf = (ids: readonly ColumnId[]): number =>
  ids.reduce((sum, id) => sum + definitions[id].flexWidth * MIN_UNIT_PX, 0);

/** The columns with these ids, for a table of devices. */
export const columnsOf = (ids: readonly ColumnId[], words: Words): DataColumn<Instance>[] =>
  ids.map((id) => {
    const { flexWidth, align, cell } = definitions[id];
    return {
      id,
      label: words.t(`launchpad.columns.${id}`),
      isLabelHidden: id === "actions",
      isPinned: id === "actions",
      width: columnWidth(flexWidth),
      align,
      isSortable: isSortable(id),
      cell: (instance) => cell(instance, words),
    };
  });
