import type { Instance, ReplayStory } from "@terrarium/contract";
import type { TFunction } from "i18next";
import { sayTime } from "../../../shared/replay/say-time.ts";
import { type Step, stepsOf } from "../../../shared/replay/steps.ts";

/** As many of each as somebody reads: the latest. */
const MAX_STEPS = 60;
const MAX_LINES = 60;
/** Of a log without warnings. */
const MAX_CALM_LINES = 20;

interface Report {
  device: Instance;
  story: ReplayStory;
  /** The name of the MP4. */
  file: string;
}

/** What happened, as Markdown to paste: steps with their times, facts of the device, the log's warnings, and the video's name. */
export function bugReport({ device, story, file }: Report, t: TFunction): string {
  const steps = stepsOf(story.events, t);
  return [
    `# ${plain(t("replay.bug.heading", { name: device.name }))}`,
    `${t("replay.bug.what")}\n\n…`,
    section(t("replay.bug.steps"), sayStepList(steps, t)),
    section(t("replay.bug.device"), sayFacts(device, story, t)),
    section(t("replay.bug.log"), sayLog(steps, t)),
    section(t("replay.bug.video"), plain(t("replay.bug.attach", { file, duration: sayTime(story.duration_ms) }))),
  ].join("\n\n");
}

const section = (title: string, text: string) => `## ${title}\n\n${text}`;

function sayStepList(all: readonly Step[], t: TFunction): string {
  const steps = all.filter(({ kind }) => kind !== "log");
  if (!steps.some(({ kind }) => kind === "done")) return t("replay.bug.noSteps");
  const earlier = steps.length - MAX_STEPS;
  const lines = steps.slice(-MAX_STEPS).map(({ at, text }, index) => `${index + 1}. \`${sayTime(at)}\` ${plain(text)}`);
  return [...(earlier > 0 ? [`${t("replay.bug.earlier", { count: earlier })}\n`] : []), ...lines].join("\n");
}

function sayFacts(device: Instance, story: ReplayStory, t: TFunction): string {
  const { hardware_profile: hardware, os_image: image } = device;
  const { os_version: version, sdk_version: api } = image.os_version;
  const facts = {
    name: device.name,
    android: t("replay.bug.androidOf", { version, api }),
    screen: t("replay.bug.screenOf", { width: hardware.width, height: hardware.height, density: hardware.density }),
    profile: hardware.name,
    image: `${image.name} ${image.image_version}`,
    recipe: device.recipe?.name,
    arch: image.arch,
    identifier: device.uuid,
    from: story.began_at,
  };
  const rows = Object.entries(facts).flatMap(([name, value]) =>
    value === undefined ? [] : [`- ${t(`replay.bug.facts.${name as keyof typeof facts}`)}: ${plain(value)}`],
  );
  return rows.join("\n");
}

function sayLog(steps: readonly Step[], t: TFunction): string {
  const lines = steps.filter(({ kind }) => kind === "log");
  if (lines.length === 0) return t("replay.bug.noLog");
  const loud = lines.filter(({ level }) => level !== undefined && "WEF".includes(level));
  const [words, shown] =
    loud.length > 0
      ? [t("replay.bug.errors"), loud.slice(-MAX_LINES)]
      : [t("replay.bug.latest"), lines.slice(-MAX_CALM_LINES)];
  const text = shown.map(({ at, text: line }) => `${sayTime(at)}  ${line}`).join("\n");
  // A fence is longer than any that is in it.
  const fence = "`".repeat(Math.max(3, ...Array.from(text.matchAll(/`+/g), ([ticks]) => ticks.length + 1)));
  return `${words}\n\n${fence}text\n${text}\n${fence}`;
}

/** A text in which nothing is Markdown or HTML: names are chosen by people. */
const plain = (text: string): string =>
  text.replaceAll(/\s+/g, " ").replaceAll(/[\\`*_{}[\]<>|#!~@]/g, String.raw`\$&`);
