import { describe, expect, it } from "vitest";
import { type Facts, type HistoryRow, type Row, verdictOf } from "./rows-verdict.ts";

const good = { lost: [], duplicated: [], orphaned: [], stuck: [], impossible: [] };

const asked: HistoryRow = { instance_uuid: "d1", event: "ask", from_state: null, to_state: "CREATING" };
const step = (event: HistoryRow["event"], from_state: Row["state"], to_state: Row["state"]): HistoryRow => ({
  ...asked,
  event,
  from_state,
  to_state,
});
const online = [
  asked,
  step("powered", "CREATING", "STARTING"),
  step("answered", "STARTING", "BOOTING"),
  step("booted", "BOOTING", "ONLINE"),
];
const row: Row = { uuid: "d1", name: "key", state: "ONLINE", machine: { port: 7000 } };

const verdict = (facts: Partial<Facts>, { stopped = [] as string[], started = ["d1"] } = {}) =>
  verdictOf(
    { started: new Map([["key", new Set(started)]]), stopped: new Set(stopped) },
    { rows: [row], history: online, ports: new Set([7000]), ...facts },
  );

describe("verdictOf", () => {
  it("finds nothing wrong with a device that was started, and with one that was stopped", () => {
    expect(verdict({})).toEqual(good);
    const history = [
      ...online,
      step("stop", "ONLINE", "STOPPING"),
      step("stopped", "STOPPING", "DELETING"),
      step("deleted", "DELETING", "DELETED"),
    ];
    const rows: Row[] = [{ ...row, state: "DELETED", machine: null }];
    expect(verdict({ rows, history, ports: new Set() }, { stopped: ["d1"] })).toEqual(good);
  });

  it("finds what was acknowledged and is not so", () => {
    expect(verdict({ rows: [], history: [], ports: new Set() }).lost).toEqual([
      "key was started as d1, which is not there",
    ]);
    expect(verdict({}, { stopped: ["d1"] }).lost).toEqual(["d1 was stopped, and is ONLINE"]);
  });

  it("finds two devices of one key, whether a reply named both or not", () => {
    const second = { ...row, uuid: "d2", name: "key (1)", state: "DELETED" as const, machine: null };
    const history = [...online, { ...asked, instance_uuid: "d2", to_state: "DELETED" as const }];
    expect(verdict({ rows: [row, second], history }).duplicated).toEqual(["key: d1, d2"]);
    expect(verdict({}, { started: ["d1", "d2"] }).duplicated).toEqual(["key: d1, d2"]);
  });

  it("finds machines without a row, and rows without a machine", () => {
    expect(verdict({ ports: new Set([7000, 7001]) }).orphaned).toEqual(["the machine at port 7001 has no row"]);
    expect(verdict({ ports: new Set() }).orphaned).toEqual(["d1 is ONLINE without a machine"]);
    const rows: Row[] = [{ ...row, state: "ERROR" }];
    const history = [...online, step("fail", "ONLINE", "ERROR")];
    expect(verdict({ rows, history }).orphaned).toEqual(["the machine at port 7000 has no row"]);
  });

  it("finds a device that is still starting", () => {
    const rows: Row[] = [{ ...row, state: "BOOTING" }];
    expect(verdict({ rows, history: online.slice(0, 3) }).stuck).toEqual(["d1 is BOOTING"]);
  });

  it.each([
    ["that begins in the middle", online.slice(1)],
    ["with a step that no state allows", [asked, step("booted", "CREATING", "ONLINE")]],
    ["with a gap", [asked, step("booted", "BOOTING", "ONLINE")]],
    ["that begins twice", [asked, asked, ...online.slice(1)]],
    ["that ends in another state than the row", online.slice(0, 3)],
  ])("finds a history %s", (_, history) => {
    expect(verdict({ history }).impossible).not.toEqual([]);
  });
});
