import { sentences } from "./sentences.ts";

/** A section of a legal text. A list within its body is a bulleted one. */
export interface LegalSection {
  /** Its anchor: links from elsewhere lead there, so it stays when the title changes. */
  id: string;
  title: string;
  body: readonly (string | readonly string[])[];
}

/** The words around the legal texts. */
export const legal = sentences({
  legal: {
    updated: "Last updated {{date}}",
    version: "Version {{version}}",
    back: "Back",
    contents: "Contents",
    print: "Print",
    linkTo: "Link to “{{title}}”",
    statistics: { label: "Usage statistics", help: "For this browser. Off unless you switch it on." },
    /** In place of what the operator has not set. */
    operator: {
      name: "whoever runs this installation",
      address: "whose address is known to whoever gave you access",
      contact: "whoever gave you access to this installation",
      court: "the courts at the operator’s place of business",
    },
  },
});
