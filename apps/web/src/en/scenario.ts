import { sentences } from "./sentences.ts";

/** What is said of scenarios: things that happen to a device over time. */
export const scenario = sentences({
  scenario: {
    label: "Scenario for {{name}}",
    open: "Open a file",
    recorded: "From what was set",
    nothingRecorded: "Nobody has set anything on this device yet: turn the battery down or move it, then try again.",
    download: "Download this file",
    unreadable: "{{name}} cannot be read.",
    line: "Line {{line}}",
    help: "What can be written here",
    start: "Run",
    pause: "Pause",
    resume: "Go on",
    // The device has a Stop of its own.
    stop: "End the run",
    started: "The scenario runs",
    failed: "The device did not answer. Try again in a moment.",
    unknown: "Whether a scenario runs is not known at the moment.",
    lacks: "This device lacks what step {{step}} needs: {{kind}}.",
    lacksNamed: "This device lacks what step {{step}}, “{{name}}”, needs: {{kind}}.",
    run: "The run",
    nameless: "Scenario",
    progress: "How far the scenario is",
    round: "round {{round}} of {{rounds}}",
    status: { running: "Running", paused: "Paused", finished: "Finished", stopped: "Stopped" },
    kinds: {
      battery: "battery",
      place: "place",
      route: "route",
      network: "network",
      call: "call",
      sms: "message",
      sim: "SIM",
      identifiers: "identifiers",
      disk: "disk",
      clipboard: "clipboard",
      rotation: "rotation",
      fingerprint: "fingerprint",
    },
  },
});
