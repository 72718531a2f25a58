import { Viewer } from "../support/viewer.ts";

/** `sleeper.ts URL TOKEN`: a viewer in a process of its own, which can be stopped. Says when it has its first picture, or why it has none. */
const [url = "", token = ""] = process.argv.slice(2);
const say = (text: string) => new Promise((resolve) => process.send?.(text, undefined, {}, resolve));
const viewer = new Viewer(url, Promise.resolve(token));
try {
  await viewer.until("the first picture", 30_000, () => viewer.pictures[0]);
  await say("watching");
  await viewer.until("its end", 120_000, () => undefined);
} catch (error) {
  await say((error as Error).message);
}
process.exit();
