import CardSim from "lucide-react/icons/card-sim";
import { useTranslation } from "react-i18next";
import { FieldsPanel } from "./FieldsPanel.tsx";
import { gadget, type PanelProps } from "./gadget.ts";
import { roomOf } from "./GadgetPopover.tsx";

/** The player's commands for each field, which are also what the device reports. */
const commands = {
  networkOperator: "network operator",
  networkName: "network operator_name",
  simOperator: "sim operator",
  simName: "sim operator_name",
  subscriber: "sim imsi_id",
  number: "sim phone_number",
} as const;
type Name = keyof typeof commands;
type Sim = Partial<Record<Name, string>>;

const names = Object.keys(commands) as Name[];
const WIDTH = 336;

const rules = {
  networkOperator: { pattern: /^\d{5,6}$/, says: "operator" },
  networkName: { pattern: /^.{1,64}$/, says: "name" },
  simOperator: { pattern: /^\d{5,6}$/, says: "operator" },
  simName: { pattern: /^.{1,64}$/, says: "name" },
  subscriber: { pattern: /^\d{9,10}$/, says: "subscriber" },
  number: { pattern: /^\+?\d{1,32}$/, says: "number" },
} as const;

const simMessage = (sim: Readonly<Record<string, string>>) => ({
  channel: "baseband",
  messages: names.flatMap((name) => (sim[name] === undefined ? [] : `${commands[name]} ${sim[name]}`)),
});

/** `sim operator_name Free`. */
function simOf(report: unknown, before: Sim | undefined): Sim | undefined {
  const [, command, value] = /^(\w+ \w+) (.{1,64})$/.exec(String(report)) ?? [];
  const name = names.find((each) => commands[each] === command);
  return name && { ...before, [name]: value };
}

function SimPanel({ anchor, state, send, onClose }: PanelProps<Sim>) {
  const { t } = useTranslation();
  return (
    <FieldsPanel
      anchor={anchor}
      title={t("display.sim.title")}
      width={WIDTH}
      onClose={onClose}
      state={state}
      fields={names.map((name) => ({
        name,
        label: t(`display.sim.${name}`),
        wrong: (value) => (rules[name].pattern.test(value) ? undefined : t(`display.sim.wrong.${rules[name].says}`)),
      }))}
      onSet={(sim) => send(simMessage(sim))}
    />
  );
}

/** The operators that the device sees, and what is on its SIM. */
export const sim = gadget({
  name: "sim",
  glyph: CardSim,
  shortcut: "m",
  group: "more",
  capability: "phone",
  usualOn: [],
  panel: { Panel: SimPanel, size: roomOf(WIDTH, 330), channels: ["baseband"], read: simOf },
});
