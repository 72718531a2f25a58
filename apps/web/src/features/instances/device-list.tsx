import { Box } from "@mui/material";
import {
  activeStates,
  type Instance,
  instancePhases,
  type InstanceState as State,
  launchpadPageSizes,
} from "@terrarium/contract";
import type { TFunction } from "i18next";
import ArrowDownToLine from "lucide-react/icons/arrow-down-to-line";
import Columns3 from "lucide-react/icons/columns-3";
import ExternalLink from "lucide-react/icons/external-link";
import Info from "lucide-react/icons/info";
import Mail from "lucide-react/icons/mail";
import Power from "lucide-react/icons/power";
import X from "lucide-react/icons/x";
import { generatePath } from "react-router";
import { declareList, type FilterValues, type RowAction } from "../../components/list/list.ts";
import { RelativeTime } from "../../components/RelativeTime.tsx";
import { routeRules } from "../../session/routes.ts";
import type { Me } from "../../session/user.ts";
import { FormFactorTile, shapeOf } from "../../shared/FormFactorTile.tsx";
import { InstanceState } from "../../shared/InstanceState.tsx";
import { newDevices } from "../../shared/new-devices.ts";
import { sideBySide } from "../../shared/side-by-side.ts";
import { columns } from "./columns.tsx";
import { StopsSoon } from "./TimeToEnd.tsx";
import { actionsOf, type DeviceAction, mailToOwner, mayStop } from "./device-actions.ts";
import { instanceList } from "../../shared/instances.queries.ts";

/** What the list of devices needs besides the devices. */
export interface DeviceListContext {
  t: TFunction;
  me: Me;
  /** Asks first. */
  stop: (devices: readonly Instance[]) => void;
  dismiss: (devices: readonly Instance[]) => void;
  /** Goes to the page of several. */
  compare: (devices: readonly Instance[]) => void;
  /** Opens the dialog. */
  save: (device: Instance) => void;
  /** Goes to the device; a colleague's has no picture to show, so a message says that instead. */
  open: (device: Instance) => void;
}

const glyphs = { display: ExternalLink, messageOwner: Mail, save: ArrowDownToLine, stop: Power, dismiss: X } as const;
/** States that are looked for together. */
const phases = {
  any: undefined,
  starting: instancePhases.starting,
  online: instancePhases.online,
  ending: instancePhases.windingDown,
  ended: instancePhases.finished,
} as const satisfies Record<string, readonly State[] | undefined>;
type Phase = keyof typeof phases;
const phaseOf = ({ state = "any" }: FilterValues): readonly State[] | undefined => phases[state as keyof typeof phases];
/** On the shelf, which scrolls, and is live only where one looks. */
const SHELF_SIZE = 100;
export const isShelf = (filters: FilterValues) => filters["view"] === "shelf";
const isWide = (filters: FilterValues) => filters.whose === "organization";

export const deviceList = declareList<Instance, DeviceListContext>({
  key: "active-devices",
  query: (ask, { me }, filters) =>
    instanceList({
      ...ask,
      state: phaseOf(filters)?.slice(),
      organization_uuid: me.organization?.uuid,
      organization_wide: isWide(filters),
    }),
  idOf: ({ uuid }) => uuid,
  nameOf: ({ name }) => name,
  columns,
  ordering: "-updated_at",
  pageSizes: launchpadPageSizes,
  pageSize: 10,
  fixedPageSize: (filters) => (isShelf(filters) ? SHELF_SIZE : undefined),
  filters: [
    {
      id: "whose",
      label: (t) => t("launchpad.whose"),
      choices: [
        { value: "organization", label: (t) => t("launchpad.organization") },
        { value: "mine", label: (t) => t("launchpad.mine") },
      ],
      isRemembered: true,
      isOffered: ({ me }) => me.role === "manager",
    },
    {
      id: "state",
      label: (t) => t("launchpad.phase"),
      choices: (Object.keys(phases) as (keyof typeof phases)[]).map((value) => ({
        value,
        label: (t) => t(`launchpad.phases.${value}`),
      })),
      isMenu: true,
    },
    {
      id: "view",
      label: (t) => t("launchpad.wall.view"),
      choices: [
        { value: "table", label: (t) => t("launchpad.wall.table") },
        { value: "shelf", label: (t) => t("launchpad.wall.shelf") },
      ],
      isRemembered: true,
      isView: true,
    },
  ],
  card: ({ uuid, name, state, save, queue, recipe, hardware_profile: profile, updated_at, ...device }) => ({
    lead: <FormFactorTile shape={shapeOf(profile)} />,
    title: name,
    caption: recipe?.name ?? "–",
    mark: <InstanceState state={state} save={save} queue={queue} />,
    facts: [
      <Box key="id" component="span" sx={{ typography: "mono" }}>
        {uuid.slice(0, 8)}
      </Box>,
      <RelativeTime key="time" time={updated_at} />,
      <StopsSoon key="stops" {...device} />,
    ],
  }),
  actions: (device, context) => [
    ...actionsOf(device, context.me).map((action) => rowAction(device, action, context)),
    ...(device.state === "DELETED" ? [] : [toDetails(device, context)]),
  ],
  bulk: (devices, { t, me, stop, dismiss, compare }) => {
    const running = devices.filter(({ owner, state }) => owner.uuid === me.uuid && activeStates.includes(state));
    const fits = running.length >= sideBySide.min && running.length <= sideBySide.max;
    const stoppable = devices.filter((device) => mayStop(device, me));
    const dismissable = devices.filter((device) => actionsOf(device, me).some(({ kind }) => kind === "dismiss"));
    const words = (count: number) => t("launchpad.dismissSelected", { count });
    return [
      { glyph: Columns3, on: fits ? running : [], label: t("launchpad.sideBySide"), act: compare },
      { glyph: Power, on: stoppable, label: t("launchpad.stopSelected", { count: stoppable.length }), act: stop },
      { glyph: X, on: dismissable, label: words(dismissable.length), act: dismiss },
    ].flatMap(({ glyph, on, label, act }) => (on.length === 0 ? [] : [{ glyph, label, run: () => act(on) }]));
  },
  open: (device, context) => context.open(device),
  news: {
    subscribe: newDevices.subscribe,
    count: (filters, { me }) =>
      newDevices
        .read()
        .filter(({ owner_uuid: owner }) => isWide(filters) || owner === me.uuid)
        .filter(({ state }) => phaseOf(filters)?.includes(state) ?? true).length,
    clear: newDevices.clear,
  },
  isOver: ({ state }) => state === "DELETED",
  words: (t) => ({
    label: t("launchpad.table"),
    search: t("launchpad.filter"),
    column: (id) => t(`launchpad.columns.${id as (typeof columns)[number]["id"]}`),
    columnsLead: t("launchpad.columnsLead"),
    news: (count) => t("launchpad.newDevices", { count }),
    noMatch: ({ search, filters }) => ({
      title: search
        ? t("launchpad.noMatch.title", { search })
        : t(`launchpad.noMatch.${filters.state === "any" ? "noneOfMine" : "noneInPhase"}`),
      help: [
        filters.state !== "any" &&
          t("launchpad.noMatch.phase", { phase: t(`launchpad.phases.${filters.state as Phase}`) }),
        search && t("launchpad.noMatch.searched"),
        filters.whose === "mine" && t("launchpad.noMatch.mine"),
      ]
        .filter(Boolean)
        .join(" "),
    }),
    failed: { title: t("errors.fetchDevices"), help: t("launchpad.failed") },
  }),
});

function rowAction(device: Instance, action: DeviceAction, { t, stop, save, dismiss }: DeviceListContext): RowAction {
  const { kind } = action;
  const { name, uuid, owner } = device;
  const does = {
    display: { href: `/instance/${uuid}`, target: "_blank", isMain: true },
    messageOwner: { href: mailToOwner(owner.email, t("launchpad.deviceActions.subject", { name })) },
    stop: { run: () => stop([device]) },
    save: { run: () => save(device) },
    dismiss: { run: () => dismiss([device]) },
  } as const;
  return {
    id: kind,
    glyph: glyphs[kind],
    label: t(`launchpad.deviceActions.${kind}`, { name }),
    short: t(`launchpad.deviceActions.menu.${kind}`),
    reason: reasonOf(action, t),
    ...does[kind],
  };
}

const toDetails = ({ uuid, name }: Instance, { t }: DeviceListContext): RowAction => ({
  id: "details",
  glyph: Info,
  label: t("common.table.details", { name }),
  short: t("launchpad.deviceActions.menu.details"),
  href: generatePath(routeRules.device.path, { uuid }),
  isInMenu: true,
});

/** Why an action that is shown cannot be used now. */
function reasonOf(action: DeviceAction, t: TFunction): string | undefined {
  if (action.unless === undefined) return undefined;
  return action.kind === "save"
    ? t(`launchpad.deviceActions.unlessSave.${action.unless}`)
    : t(`launchpad.deviceActions.unless.${action.unless}`);
}
