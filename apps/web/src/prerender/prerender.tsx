import "./globals.ts";
import "../shell/zod-config.ts";
import "../en/sentences.ts";
import createCache, { type EmotionCache } from "@emotion/cache";
import { CacheProvider } from "@emotion/react";
import type { CurrentSettings } from "@terrarium/contract";
import { t } from "i18next";
import { StrictMode } from "react";
import { prerenderToNodeStream } from "react-dom/static";
import { text } from "node:stream/consumers";
import { parentPort, workerData } from "node:worker_threads";
import { queryClient } from "../session/client.ts";
import { type PageTitle, type RouteRules, routeRules } from "../session/routes.ts";
import { publicSettings } from "../session/settings.ts";
import { App } from "../shell/App.tsx";
import { router } from "../shell/router.tsx";
import { prerenderedPaths } from "./paths.ts";

/**
 * Runs in a worker of the server: makes the HTML of the pages before sign-in, as they are with the installation's settings.
 * `template` is the built index.html.
 */
const { settings, template } = workerData as { settings: CurrentSettings; template: string };

/** What the page starts with, so that its first render is the same. A data block: no policy for scripts applies to it. */
const data = `<script type="application/json" id="settings">${JSON.stringify(settings).replaceAll("<", "\\u003c")}</script>`;

/** What nobody needs in order to see the page: the app, and the font of few words. before-app.js lets it out once the page is painted. */
const REST =
  /<script type="module".*?<\/script>|<link rel="modulepreload".*?>|@font-face\{font-family:JetBrains Mono.*?\}/g;
const rest = [...template.matchAll(REST)].map(([part]) => (part.startsWith("@") ? `<style>${part}</style>` : part));
// Otherwise all of it would come before the picture again, and nobody would notice.
if (!rest.some((part) => part.startsWith("<script"))) throw new Error("index.html has no module script");
const withoutRest = template.replace(REST, "").replace("</head>", () => `<template>${rest.join("")}</template></head>`);

/** React's own limit, above which it would send a part of the page later, with an inline script that the security policy forbids. */
const progressiveChunkSize = Number.POSITIVE_INFINITY;

queryClient.setQueryData(publicSettings.queryKey, settings);
const send = parentPort?.postMessage.bind(parentPort);
for (const path of prerenderedPaths) send?.({ path, html: await pageAt(path) });

async function pageAt(path: string): Promise<string> {
  await router.navigate(path);
  // Nobody is served a page that says that it did not load.
  for (const error of Object.values(router.state.errors ?? {})) throw error;
  const { title } = (router.state.matches.at(-1)?.route.handle ?? {}) as { title?: PageTitle };
  const cache = createCache({ key: "css" });
  // The styles are collected in it, which would otherwise be written between the elements.
  cache.compat = true;
  const { prelude } = await prerenderToNodeStream(
    <CacheProvider value={cache}>
      <StrictMode>
        <App />
      </StrictMode>
    </CacheProvider>,
    {
      progressiveChunkSize,
      onError(error) {
        throw error;
      },
    },
  );
  const content = await text(prelude);
  const parts: [RegExp, string][] = [
    [
      /<title>.*<\/title>/,
      `<title>${t("common.titles.page", { name: t(`common.titles.${title ?? "home"}`) })}</title>`,
    ],
    [/<\/head>/, `${styleOf(cache)}</head>`],
    [/<div id="root">.*<\/div>/, `<div id="root" ${attributesOf(path)}>${content}</div>${data}`],
  ];
  return parts.reduce((page, [place, part]) => page.replace(place, () => part), withoutRest);
}

/**
 * What was inserted, for the style engine of the page to go on from. Global styles are elements of their own, as it looks for
 * each of them by name: others would be made and put in once more, for which the whole page is laid out again.
 */
function styleOf({ key, inserted }: EmotionCache): string {
  const styles = Object.entries(inserted).filter((entry): entry is [string, string] => typeof entry[1] === "string");
  const isGlobal = ([name, style]: [string, string]) =>
    !style.includes(`.${key}-${name}`) && !style.startsWith("@keyframes");
  const element = (named: string, parts: [string, string][]) =>
    `<style data-emotion="${named} ${parts.map(([name]) => name).join(" ")}">${parts.map(([, style]) => style).join("")}</style>`;
  return [
    ...styles.filter(isGlobal).map((style) => element(`${key}-global`, [style])),
    element(
      key,
      styles.filter((style) => !isGlobal(style)),
    ),
  ].join("");
}

/** Pages that nobody sees who is signed in say so, for before-app.js: it hides them. */
function attributesOf(path: string): string {
  const rules = Object.values<RouteRules>(routeRules).find((each) => each.path === path);
  return `data-path="${path}"${rules?.signedOutOnly ? " data-for-strangers" : ""}`;
}
