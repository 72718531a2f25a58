/** A node of a query plan, as `EXPLAIN (FORMAT JSON)` has it. */
export interface PlanNode {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
  Plans?: PlanNode[];
}

/** How each table is read, from the outside in: `recipes by Index Scan of recipes_in_order`. */
export function readsOf(node: PlanNode): string[] {
  const { "Node Type": type, "Relation Name": table, "Index Name": index, Plans: below = [] } = node;
  const own = table ? [`${table} by ${type}${index ? ` of ${index}` : ""}`] : [];
  return [...own, ...below.flatMap(readsOf)];
}

/** @throws Error if a table is read from its beginning to its end */
export function refuseScans(query: string, reads: readonly string[], table: string): void {
  if (reads.includes(`${table} by Seq Scan`))
    throw new Error(`${query}: sequential scan of ${table}: ${reads.join("; ")}`);
}
