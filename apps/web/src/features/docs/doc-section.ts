/** What stands below a heading of the documentation, up to the next one. */
export interface DocSection {
  /** Its anchor, as GitHub makes it. */
  id: string;
  title: string;
  /** 1 for the page's own, at most 3. */
  level: number;
  html: string;
}
