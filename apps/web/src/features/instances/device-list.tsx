import { Box } from "@mui/material";
import { type Instance, launchpadPageSizes } from "@terrarium/contract";
import type { TFunction } from "i18next";
import ExternalLink from "lucide-react/icons/external-link";
import Mail from "lucide-react/icons/mail";
import Power from "lucide-react/icons/power";
import X from "lucide-react/icons/x";
import { declareList, type RowAction } from "../../components/list/list.ts";
import { RelativeTime } from "../../components/RelativeTime.tsx";
import type { Me } from "../../session/user.ts";
import { FormFactorTile, shapeOf } from "../../shared/FormFactorTile.tsx";
import { InstanceState } from "../../shared/InstanceState.tsx";
import { newDevices } from "../../shared/new-devices.ts";
import { columns } from "./columns.tsx";
import { actionsOf, type DeviceAction, mailToOwner, mayStop } from "./device-actions.ts";
import { instanceList } from "./instances.queries.ts";

/** What the list of devices needs besides the devices. */
export interface DeviceListContext {
  t: TFunction;
  me: Me;
  /** Asks first. */
  stop: (devices: readonly Instance[]) => void;
  dismiss: (device: Instance) => void;
  /** Goes to the device; a colleague's has no picture to show, so that is told instead. */
  open: (device: Instance) => void;
}

const glyphs = { display: ExternalLink, messageOwner: Mail, stop: Power, dismiss: X } as const;
const isWide = (filters: Readonly<Record<string, string>>) => filters.whose === "organization";

export const deviceList = declareList<Instance, DeviceListContext>({
  key: "active-devices",
  query: (ask, { me }, filters) =>
    instanceList({ ...ask, organization_uuid: me.organization?.uuid, organization_wide: isWide(filters) }),
  idOf: ({ uuid }) => uuid,
  nameOf: ({ name }) => name,
  columns,
  ordering: "-updated_at",
  pageSizes: launchpadPageSizes,
  pageSize: 10,
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
  ],
  card: ({ uuid, name, state, recipe, hardware_profile: profile, updated_at }) => ({
    lead: <FormFactorTile shape={shapeOf(profile)} />,
    title: name,
    caption: recipe?.name ?? "–",
    mark: <InstanceState state={state} />,
    facts: [
      <Box key="id" component="span" sx={{ typography: "mono" }}>
        {uuid.slice(0, 8)}
      </Box>,
      <RelativeTime key="time" time={updated_at} />,
    ],
  }),
  actions: (device, context) => actionsOf(device, context.me).map((action) => rowAction(device, action, context)),
  bulk: (devices, { t, me, stop }) => {
    const stoppable = devices.filter((device) => mayStop(device, me));
    const label = t("launchpad.stopSelected", { count: stoppable.length });
    return stoppable.length === 0 ? [] : [{ glyph: Power, label, run: () => stop(stoppable) }];
  },
  open: (device, context) => context.open(device),
  news: {
    subscribe: newDevices.subscribe,
    count: (filters, { me }) =>
      newDevices.read().filter(({ owner_uuid: owner }) => isWide(filters) || owner === me.uuid).length,
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
      title: search ? t("launchpad.noMatch.title", { search }) : t("launchpad.noMatch.noneOfMine"),
      help: t(filters.whose === "mine" ? "launchpad.noMatch.mine" : "launchpad.noMatch.all"),
    }),
    failed: { title: t("errors.fetchDevices"), help: t("launchpad.failed") },
  }),
});

function rowAction(
  device: Instance,
  { kind, unless }: DeviceAction,
  { t, stop, dismiss }: DeviceListContext,
): RowAction {
  const { name, uuid, owner } = device;
  const does = {
    display: { href: `/instance/${uuid}`, target: "_blank", isMain: true },
    messageOwner: { href: mailToOwner(owner.email, t("launchpad.deviceActions.subject", { name })) },
    stop: { run: () => stop([device]) },
    dismiss: { run: () => dismiss(device) },
  } as const;
  return {
    id: kind,
    glyph: glyphs[kind],
    label: t(`launchpad.deviceActions.${kind}`, { name }),
    short: t(`launchpad.deviceActions.menu.${kind}`),
    reason: unless && t(`launchpad.deviceActions.unless.${unless}`),
    ...does[kind],
  };
}
