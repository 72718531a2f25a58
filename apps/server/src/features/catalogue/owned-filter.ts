/** Which of the things that are official or an organisation's own a list shows. */
export interface OwnedFilter {
  organization: string;
  owner: string;
  search?: string | undefined;
  source: "all" | "official" | "owner" | "custom";
}
