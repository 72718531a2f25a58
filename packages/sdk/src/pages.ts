/** The rows of all pages of a list. */
export async function allOf<Row>(
  list: (page: { page: number; page_size: number }) => Promise<{ count: number; results: Row[] }>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let page = 1; ; page++) {
    const { count, results } = await list({ page, page_size: PAGE_SIZE });
    rows.push(...results);
    // A list that shrank meanwhile ends with an empty page.
    if (rows.length >= count || results.length === 0) return rows;
  }
}

const PAGE_SIZE = 200;
