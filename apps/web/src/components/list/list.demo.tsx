import Power from "lucide-react/icons/power";
import { BulkBar } from "./BulkBar.tsx";
import { ColumnsDialog } from "./ColumnsDialog.tsx";
import { declareList, type List } from "./list.ts";
import { ListView } from "./ListView.tsx";
import { useList } from "./use-list.ts";

interface Fruit {
  id: string;
  name: string;
  grams: number;
}
const nothing = () => undefined;
const fruits = ["Apple", "Banana", "Cherry", "Damson", `Elderberry of ${"a long name ".repeat(20)}`].map(
  (name, index): Fruit => ({ id: `${index}`.repeat(8), name, grams: 10 * (index + 1) }),
);

/** The smallest list that has everything. */
export const fruitList = (results: Fruit[] | Error): List<Fruit, undefined> =>
  declareList<Fruit, undefined>({
    key: "demo",
    query: (ask) => ({
      queryKey: ["demo", results, ask],
      queryFn: async () => {
        if (results instanceof Error) throw results;
        return { count: results.length && 42, results };
      },
    }),
    idOf: ({ id }) => id,
    nameOf: ({ name }) => name,
    columns: [
      { id: "name", flexWidth: 10, shown: "always", sortBy: "name", cell: ({ name }) => name },
      { id: "grams", flexWidth: 4, shown: "first", align: "right", cell: ({ grams }) => `${grams} g` },
    ],
    ordering: "name",
    pageSizes: [5, 10],
    pageSize: 5,
    filters: [
      {
        id: "kind",
        label: () => "Kind",
        choices: [
          { value: "all", label: () => "All" },
          { value: "ripe", label: () => "Ripe" },
        ],
        isRemembered: true,
      },
    ],
    card: ({ name, grams }) => ({ title: name, caption: "Fruit", facts: [`${grams} g`, "fresh"] }),
    actions: ({ name }) => [{ id: "eat", glyph: Power, label: `Eat ${name}`, short: "Eat", run: nothing }],
    bulk: () => [{ glyph: Power, label: "Eat all", run: nothing }],
    open: nothing,
    words: () => ({
      label: "Fruit",
      search: "Filter by name",
      column: (id) => ({ name: "Name", grams: "Weight", actions: "Actions" })[id] ?? id,
      columnsLead: "The name is always shown.",
      news: (count) => `${count} new`,
      noMatch: ({ search }) => ({ title: `No fruit matches “${search}”`, help: "Try fewer letters." }),
      failed: { title: "Fruit did not load", help: "It is still on the tree." },
    }),
  });

const View = ({ list }: { list: List<Fruit, undefined> }) => (
  <ListView state={useList(list, undefined)} empty={<p>No fruit yet.</p>} />
);
const Columns = ({ list }: { list: List<Fruit, undefined> }) => (
  <ColumnsDialog state={useList(list, undefined)} onClose={nothing} />
);

/** A list page in the states worth seeing. */
export const demos = {
  rows: <View list={fruitList(fruits)} />,
  empty: <View list={fruitList([])} />,
  failed: <View list={fruitList(new Error("no"))} />,
  columns: <Columns list={fruitList(fruits)} />,
  bulk: <BulkBar ids={["1", "2"]} actions={[{ glyph: Power, label: "Eat all", run: nothing }]} onClear={nothing} />,
};
