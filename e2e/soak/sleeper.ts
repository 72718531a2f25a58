import { Viewer } from "../support/viewer.ts";

/** `sleeper.ts URL TOKEN`: a viewer in a process of its own, which can be stopped. Says when it has its first picture, or why it has none. */
const [url = "", token = ""] = process.argv.slice(2);
const viewer = new Viewer(url, Promise.resolve(token));
try {
  await viewer.until("the first picture", 30_000, () => viewer.pictures[0]);
  process.send?.("watching");
  await viewer.until("its end", 120_000, () => undefined);
} catch (error) {
  process.send?.((error as Error).message);
}
// It is killed when it is no longer needed.
