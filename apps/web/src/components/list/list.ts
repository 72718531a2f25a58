import type { QueryKey } from "@tanstack/react-query";
import type { TFunction } from "i18next";
import type { Glyph } from "../Icon.tsx";
import type { Preference } from "../preferences.ts";
import type { ListAddress } from "./list-address.ts";
import { type ListSettings, pageSizeOf, settingsOf } from "./list-settings.ts";

/** What the service is asked for. */
export interface ListAsk {
  /** Counts from 1. */
  page: number;
  page_size: number;
  /** A field, after a minus when the last comes first: `-updated_at`. */
  ordering: string;
  search: string | undefined;
  /** The key of the page, in lists whose pages follow keys; missing for the first. */
  before?: string;
}

/** What is chosen of each filter, by its id. Filters that this person is not offered are missing. */
export type FilterValues = Readonly<Record<string, string>>;

/** What it answers. */
export interface ListPage<Row> {
  /** Of all pages. */
  count: number;
  results: Row[];
  /** Where pages follow keys: that of the page after it, or null after the last. `count` is of this page then. */
  next?: string | null;
}

/** A page of rows, as a plain value for `useQuery`. `select` makes it of an answer that is no page, such as all rows at once. */
type ListQuery<Row> = { queryKey: QueryKey } & (
  | { queryFn: (call: { signal: AbortSignal }) => Promise<ListPage<Row>> }
  | { queryFn: (call: { signal: AbortSignal }) => Promise<unknown>; select(answer: unknown): ListPage<Row> }
);

export interface ListColumn<Row, Context> {
  id: string;
  /** Twentieths of the table. */
  flexWidth: number;
  align?: "right";
  /** `always`: nobody can hide it. `first`: shown until somebody hides it. Others are hidden until they are chosen. */
  shown?: "always" | "first";
  /** The service's field to sort by. The first press sorts A to Z, or the newest first. */
  sortBy?: string;
  isNewestFirst?: boolean;
  cell: (row: Row, context: Context) => React.ReactNode;
}

export interface FreeFilterProps {
  label: string;
  /** Empty while nothing is chosen. */
  value: string;
  onChange: (value: string) => void;
}

/** One of a few values. It stands in the address and in what the service is asked for. */
interface ListFilter<Context> {
  id: string;
  label: (t: TFunction) => string;
  /** The first is meant when the address says nothing. */
  choices: readonly { value: string; label: (t: TFunction) => string }[];
  /** What else the address may say, where it is typed or linked to, and its control. Then there are no choices, and nothing is meant at first. */
  free?: { accepts: (value: string) => boolean; Control: React.ComponentType<FreeFilterProps> };
  /** A menu, for more choices than stand side by side. */
  isMenu?: boolean;
  /** Remembered for the next visit, and offered among the columns as well. */
  isRemembered?: boolean;
  isOffered?: (context: Context) => boolean;
  /** How the rows are shown, not which: the list is as complete with any choice. */
  isView?: boolean;
}

export interface RowAction {
  id: string;
  glyph: Glyph;
  /** With the name of the row: "Stop pixel-7". */
  label: string;
  /** In the row's menu and on its card: "Stop device". */
  short: string;
  /** Why it cannot be used now. */
  reason?: string | undefined;
  href?: string;
  target?: "_blank";
  run?: () => void;
  /** Has a button of its own on a card, outside the menu. */
  isMain?: boolean;
  /** Has none in a table either. */
  isInMenu?: boolean;
}

export type BulkAction = Pick<RowAction, "glyph" | "label"> & { run: () => void };

/** A row on a phone. */
export interface ListCard {
  lead?: React.ReactNode;
  title: string;
  caption: React.ReactNode;
  mark?: React.ReactNode;
  /** Small print, dots between. */
  facts: readonly React.ReactNode[];
}

interface ListWords {
  /** What the rows are, for screen readers. */
  label: string;
  /** Missing where nothing is searched. */
  search?: string;
  column: (id: string) => string;
  columnsLead: string;
  /** Where there is `news`. */
  news?: (count: number) => string;
  /** Nothing matches: what was sought, and where. */
  noMatch: (address: ListAddress) => { title: string; help: string };
  failed: { title: string; help: string };
}

/** Rows from events that wait for the next refresh, so that none moves under the pointer. */
export interface News<Context> {
  subscribe: (listener: () => void) => () => void;
  /** How many of them this list would show. */
  count: (filters: FilterValues, context: Context) => number;
  clear: () => void;
}

/** All that makes one list page different from another. */
interface Declaration<Row, Context> {
  /** Names what is remembered: `<key>-table` and `<key>-pagination`. */
  key: string;
  query: (ask: ListAsk, context: Context, filters: FilterValues) => ListQuery<Row>;
  idOf: (row: Row) => string;
  nameOf: (row: Row) => string;
  /** Its pages have no numbers, but keys: `next` leads to the page after. */
  hasKeyedPages?: boolean;
  /** In the order they are shown. */
  columns: readonly ListColumn<Row, Context>[];
  /** The service's own way to say by what the rows are sorted at first. */
  ordering: string;
  pageSizes: readonly [number, ...number[]];
  pageSize: number;
  /** Rows on a page if it is not for the person to choose, as in a view that scrolls. */
  fixedPageSize?: (filters: FilterValues) => number | undefined;
  filters?: readonly ListFilter<Context>[];
  card: (row: Row, context: Context) => ListCard;
  actions?: (row: Row, context: Context) => RowAction[];
  /** Twentieths of the table for their buttons; two by default. */
  actionsWidth?: number;
  /** What can be done with several at once. Without it rows cannot be selected. */
  bulk?: (rows: readonly Row[], context: Context) => BulkAction[];
  /** What more there is to a row, shown below it when it is asked for: by a button, a double click or Enter. */
  details?: (row: Row, context: Context) => React.ReactNode;
  /** Double click and Enter. */
  open?: (row: Row, context: Context) => void;
  news?: News<Context>;
  /** After how long the page is read again by itself, as its rows are; never without it. */
  looksAgainMs?: (rows: readonly Row[]) => number | false;
  /** It has ended, and leaves the page once that was seen. */
  isOver?: (row: Row) => boolean;
  words: (t: TFunction) => ListWords;
}

export interface List<Row, Context> extends Declaration<Row, Context> {
  settings: Preference<ListSettings>;
  pageSizePreference: Preference<number>;
}

/** A list with what is remembered of it in this browser. `Context` is what cells, actions and the query need besides the row. */
export const declareList = <Row extends object, Context>(list: Declaration<Row, Context>): List<Row, Context> => ({
  ...list,
  settings: settingsOf(list),
  pageSizePreference: pageSizeOf(list),
});

/** Of the column with the rows' buttons; 0 if there is none. */
export const actionsWidthOf = ({
  actions,
  details,
  actionsWidth = 2,
}: Pick<Declaration<never, never>, "actions" | "details" | "actionsWidth">): number =>
  actions !== undefined || details !== undefined ? actionsWidth : 0;

/** The width of a column, in twentieths of the table. */
export const columnWidth = (flexWidth: number): string => `${flexWidth * 5}%`;

/** How many pixels each twentieth needs for its words; a table with more columns than fit scrolls sideways. */
const MIN_UNIT_PX = 52;
export const minWidthOf = (columns: readonly { flexWidth: number }[], actionsWidth: number): number =>
  columns.reduce((sum, { flexWidth }) => sum + flexWidth, actionsWidth) * MIN_UNIT_PX;
