import { appProcess } from "../scrcpy/app-process.ts";
import { screenrecord } from "../scrcpy/screenrecord.ts";
import { CommandTable } from "../shell/command-table.ts";
import { activity } from "../shell/commands/activity.ts";
import { basics } from "../shell/commands/basics.ts";
import { changing } from "../shell/commands/changing.ts";
import { content } from "../shell/commands/content.ts";
import { digests } from "../shell/commands/digests.ts";
import { dumpsys } from "../shell/commands/dumpsys.ts";
import { gadget } from "../shell/commands/gadget.ts";
import { input } from "../shell/commands/input.ts";
import { listing } from "../shell/commands/listing.ts";
import { logcat } from "../shell/commands/logcat.ts";
import { packageCommands } from "../shell/commands/packages.ts";
import { properties } from "../shell/commands/properties.ts";
import { search } from "../shell/commands/search.ts";
import { settings } from "../shell/commands/settings.ts";
import { system } from "../shell/commands/system.ts";
import { text } from "../shell/commands/text.ts";
import { uiautomator } from "../shell/commands/uiautomator.ts";
import { windowCommands } from "../shell/commands/window.ts";

/** Every command a simulated device has. */
export const commands = new CommandTable({
  ...basics,
  ...listing,
  ...changing,
  ...text,
  ...search,
  ...digests,
  ...system,
  ...properties,
  ...packageCommands,
  ...activity,
  ...input,
  ...windowCommands,
  ...dumpsys,
  ...uiautomator,
  ...settings,
  ...content,
  ...gadget,
  ...logcat,
  ...appProcess,
  ...screenrecord,
});
