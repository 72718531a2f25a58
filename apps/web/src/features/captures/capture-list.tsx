import { Box } from "@mui/material";
import { type Capture, captureKinds, type CaptureKind } from "@terrarium/contract";
import type { TFunction } from "i18next";
import Download from "lucide-react/icons/download";
import Play from "lucide-react/icons/play";
import Trash2 from "lucide-react/icons/trash-2";
import { Icon } from "../../components/Icon.tsx";
import { createdColumn } from "../../components/list/created-column.tsx";
import { declareList } from "../../components/list/list.ts";
import { RowName } from "../../components/list/RowName.tsx";
import { RelativeTime } from "../../components/RelativeTime.tsx";
import { sizeText } from "../../components/size-text.ts";
import { nameOf } from "../../components/PersonMark.tsx";
import type { captures as words } from "../../en/captures.ts";
import type { Me } from "../../session/user.ts";
import { captureGlyphs, captureName } from "../../shared/captures/capture-look.ts";
import { capturePage } from "../../shared/captures/captures.queries.ts";
import { PersonCell } from "../../shared/PersonCell.tsx";
import { lengthText } from "../../shared/length-text.ts";

/** What the list of captures needs besides them. */
interface CaptureListContext {
  t: TFunction;
  me: Pick<Me, "uuid" | "role">;
  show: (capture: Capture) => void;
  save: (capture: Capture) => void;
  /** Asks first. */
  remove: (capture: Capture) => void;
}

const ANY = "any";
const lengthOf = ({ duration_ms: ms }: Capture, t: TFunction) => (ms === null ? t("common.none") : lengthText(ms));

/** What is in them is for nobody else. */
const isMine = ({ owner }: Capture, me: CaptureListContext["me"]) => owner.uuid === me.uuid;

export const captureList = declareList<Capture, CaptureListContext>({
  key: "captures",
  query: ({ search, page, page_size, ordering }, _, { kind = ANY, whose }) =>
    capturePage({
      page,
      page_size,
      ordering,
      ...(search !== undefined && { search }),
      ...(whose === "organization" && { organization_wide: true }),
      ...(kind !== ANY && { kind: kind as CaptureKind }),
    }),
  idOf: ({ uuid }) => uuid,
  nameOf: ({ instance_name }) => instance_name,
  columns: [
    {
      id: "kind",
      flexWidth: 3,
      shown: "always",
      cell: ({ kind }, { t }) => (
        <Box component="span" sx={{ display: "inline-flex", alignItems: "center", gap: "8px" }}>
          <Icon glyph={captureGlyphs[kind]} />
          {t(`captures.kind.${kind}`)}
        </Box>
      ),
    },
    {
      id: "device",
      flexWidth: 5,
      shown: "always",
      sortBy: "instance_name",
      cell: ({ instance_name: name }) => <RowName name={name} />,
    },
    { id: "owner", flexWidth: 3, shown: "first", cell: ({ owner }) => <PersonCell person={owner} /> },
    { id: "length", flexWidth: 2, align: "right", shown: "first", cell: (capture, { t }) => lengthOf(capture, t) },
    {
      id: "size",
      flexWidth: 2,
      align: "right",
      shown: "first",
      sortBy: "bytes",
      isNewestFirst: true,
      cell: ({ bytes }) => sizeText(bytes),
    },
    {
      id: "picture",
      flexWidth: 2,
      align: "right",
      cell: ({ width, height }, { t }) => t("captures.pixels", { width, height }),
    },
    createdColumn("created"),
  ],
  ordering: "-created_at",
  pageSizes: [15, 30, 60],
  pageSize: 15,
  filters: [
    {
      id: "whose",
      label: (t) => t("captures.whose"),
      choices: [
        { value: "organization", label: (t) => t("captures.organization") },
        { value: "mine", label: (t) => t("captures.mine") },
      ],
      isRemembered: true,
      isOffered: ({ me }) => me.role === "manager",
    },
    {
      id: "kind",
      label: (t) => t("captures.kindLabel"),
      choices: ([ANY, ...captureKinds] as const).map((value) => ({
        value,
        label: (t) => t(`captures.kinds.${value}`),
      })),
    },
  ],
  card: (capture, { t, me }) => ({
    lead: <Icon glyph={captureGlyphs[capture.kind]} size={24} />,
    title: capture.instance_name,
    caption: <RelativeTime time={capture.created_at} />,
    facts: [
      ...(isMine(capture, me) ? [] : [<span key="owner">{nameOf(capture.owner)}</span>]),
      <span key="kind">{t(`captures.kind.${capture.kind}`)}</span>,
      ...(capture.duration_ms === null ? [] : [<span key="length">{lengthText(capture.duration_ms)}</span>]),
      <span key="size">{sizeText(capture.bytes)}</span>,
    ],
  }),
  open: (capture, { show, me }) => isMine(capture, me) && show(capture),
  actionsWidth: 3,
  actions: (capture, { t, me, show, save, remove }) => {
    const reason = isMine(capture, me) ? undefined : t("captures.notYours");
    const named = (id: keyof typeof words.captures.short) => ({
      id,
      label: t(`captures.${id}`, { name: captureName(capture, t) }),
      short: t(`captures.short.${id}`),
    });
    return [
      { ...named("show"), glyph: Play, isMain: true, reason, run: () => show(capture) },
      { ...named("save"), glyph: Download, reason, run: () => save(capture) },
      { ...named("remove"), glyph: Trash2, run: () => remove(capture) },
    ];
  },
  words: (t) => ({
    label: t("captures.table"),
    search: t("captures.filter"),
    column: (id) => t(`captures.columns.${id as keyof typeof words.captures.columns}`),
    columnsLead: t("captures.columnsLead"),
    noMatch: () => ({ title: t("captures.noMatch.title"), help: t("captures.noMatch.help") }),
    failed: { title: t("errors.fetchCaptures"), help: t("captures.failed") },
  }),
});
