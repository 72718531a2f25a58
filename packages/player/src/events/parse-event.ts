import { member, parseObject, textWithin, type Json } from "../json.ts";
import { MAX_COMMANDS, MAX_EVENT_CHARS } from "../limits.ts";
import { parseBaseband } from "./channels/baseband.ts";
import { parseBattery } from "./channels/battery.ts";
import { parseDisk } from "./channels/diskio.ts";
import { parseFingerprint } from "./channels/fingerprint.ts";
import { parseFramework } from "./channels/framework.ts";
import { parseGamepad } from "./channels/gamepad.ts";
import { parseGps } from "./channels/gps.ts";
import { parseNetwork } from "./channels/network.ts";
import { parseSettings } from "./channels/settings.ts";
import { parseSystemPatcher } from "./channels/system-patcher.ts";
import { parseInput, type InputCommand } from "./input.ts";
import { parseRoom, type RoomCommand } from "./room.ts";

/** The player asks for a channel's state: `notify all`, `notify phone`. */
export interface NotifyCommand {
  type: "notify";
  channel: Channel;
  what: string;
}

const channels = {
  battery: parseBattery,
  gps: parseGps,
  network_profile: parseNetwork,
  settings: parseSettings,
  framework: parseFramework,
  baseband: parseBaseband,
  diskio: parseDisk,
  fingerprint: parseFingerprint,
  vinput: parseGamepad,
  systempatcher: parseSystemPatcher,
} satisfies Record<string, (command: string) => { type: string } | undefined>;

export type Channel = keyof typeof channels;

type CommandOf<On extends Channel> = NonNullable<ReturnType<(typeof channels)[On]>>;

/** A command other than input, with the channel it came on. */
export type SensorCommand = { [On in Channel]: { channel: On } & CommandOf<On> }[Channel];

/** Everything a viewer can ask of a device. */
export type DeviceCommand = InputCommand | SensorCommand | NotifyCommand;

/** And of those who are at it too. */
export type PlayerCommand = DeviceCommand | RoomCommand;

/**
 * Parses one message of the events channel into its commands, in order; undefined when no player sends such a message.
 * Commands in a list that are not understood are skipped. Never throws.
 */
export function parseEvent(text: string): PlayerCommand[] | undefined {
  const object = parseObject(text, MAX_EVENT_CHARS);
  return object && parseEventObject(object);
}

/** As `parseEvent`, for an object that is already parsed. */
export function parseEventObject(object: Json): PlayerCommand[] | undefined {
  const channel = member(object, "channel");
  if (channel === undefined) {
    const command = parseInput(object) ?? parseRoom(object);
    return command && [command];
  }
  const messages = member(object, "messages");
  if (!isChannel(channel) || !Array.isArray(messages) || messages.length > MAX_COMMANDS) return undefined;
  const commands: PlayerCommand[] = [];
  for (const message of messages) {
    const text = textWithin(message, MAX_EVENT_CHARS);
    const command = text === undefined ? undefined : (parseNotify(channel, text) ?? parseSensor(channel, text));
    if (command) commands.push(command);
  }
  return commands.length > 0 ? commands : undefined;
}

function parseSensor(channel: Channel, text: string): SensorCommand | undefined {
  const command = channels[channel](text);
  return command && ({ channel, ...command } as SensorCommand);
}

function parseNotify(channel: Channel, text: string): NotifyCommand | undefined {
  const what = /^notify ([a-z_]{1,32})$/.exec(text)?.[1];
  return what === undefined ? undefined : { type: "notify", channel, what };
}

function isChannel(value: unknown): value is Channel {
  return typeof value === "string" && Object.hasOwn(channels, value);
}
