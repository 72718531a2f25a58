import { AppError, limits, type Paging } from "@terrarium/contract";

export interface Window {
  limit: number;
  offset: number;
}

/**
 * The rows that a page covers. `page_size` -1 asks for all of them; one row more than the largest page is read, so that `pageOf` can
 * refuse a list that is longer.
 * @throws AppError PAGE_TOO_LARGE
 */
export function windowOf({ page, page_size }: Paging): Window {
  if (page_size > limits.pageSizeMax) throw new AppError("PAGE_TOO_LARGE");
  if (page_size === -1) return { limit: limits.pageSizeMax + 1, offset: 0 };
  return { limit: page_size, offset: (page - 1) * page_size };
}

export interface Rows<Item> {
  count: number;
  results: Item[];
}

/**
 * A page with links to the next and the previous one, derived from the URL that was requested.
 * @throws AppError PAGE_TOO_LARGE when all rows were asked for and there are more than fit.
 */
export function pageOf<Item>({ count, results }: Rows<Item>, { page, page_size }: Paging, url: string) {
  if (page_size === -1 && count > limits.pageSizeMax) throw new AppError("PAGE_TOO_LARGE", { facts: { count } });
  const last = page_size === -1 || page * page_size >= count;
  return {
    count,
    next: last ? null : linkTo(url, page + 1),
    previous: page > 1 ? linkTo(url, page - 1) : null,
    results,
  };
}

function linkTo(url: string, page: number): string {
  const link = new URL(url);
  link.searchParams.set("page", String(page));
  return link.href;
}
