import { sentences } from "./sentences.ts";

/** What the frame of the pages offers besides the pages: other sites, support, the state of the platform, consent. */
export const around = sentences({
  around: {
    more: "More",
    elsewhere: "{{name}}, opens in a new tab",
    apiReference: "API reference & SDK",
    documentation: "Documentation",
    feedback: "Feedback",
    support: "Support",
    whatsNew: "What’s new",
    status: {
      label: "Status",
      operational: "Operational",
      limited: "Limited",
      outage: "Outage",
      unknown: "Not known",
      link: "Status: {{state}}, opens in a new tab",
      stale: "Status: {{state}} when it was last read, {{ago}}. Opens in a new tab",
    },
    consent: {
      label: "Statistics",
      text: "May this service count which parts of it are used in this browser? It helps its operator to improve it. You can change your mind at any time in the privacy notice.",
      allow: "Allow",
      refuse: "Do not allow",
      privacy: "Privacy notice",
    },
  },
});
