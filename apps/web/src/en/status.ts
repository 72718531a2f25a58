import { sentences } from "./sentences.ts";

/** The page that says how the service is. */
export const status = sentences({
  status: {
    back: "Back",
    title: "Status",
    loading: "Looking how the service is",
    lead: "How this service is right now, part by part: from its pages and devices to mails and bills. This page looks again every half minute.",
    all: {
      none: "All is well",
      minor: "Some of it is limited",
      major: "A part of it is out",
      critical: "The service is out",
      unknown: "The service does not answer",
    },
    parts: "Parts of the service",
    part: {
      api: { title: "Pages and API", help: "These pages, the API, and news that come by themselves" },
      devices: { title: "Devices", help: "Devices start, run on and are saved" },
      displays: { title: "Displays", help: "Live pictures, sound and touch" },
      mail: { title: "Mail", help: "Confirmations, invitations and notices" },
      payments: { title: "Payments", help: "Cards are added and charged" },
      jobs: { title: "Background work", help: "Bills, webhooks and deadlines" },
    },
    state: { operational: "Operational", degraded_performance: "Limited", major_outage: "Outage" },
    looked: "As of {{time}}",
    old: "The service has not answered since {{time}}. What is below was so then.",
    failed: "It may be restarted just now. This page tries again every half minute.",
    forPrograms: "For programs: {{address}}",
  },
});
