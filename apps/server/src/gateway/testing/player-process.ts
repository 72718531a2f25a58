import { TestPlayer } from "./test-player.ts";

/** A player in a process of its own, so that a test can freeze all of it: `player-process.ts <url> <token>`. */
const [url = "", token = ""] = process.argv.slice(2);
const player = new TestPlayer(url, token);
await player.until(() => player.eventsOpen && player.pictures.length > 0);
process.send?.("watching");
// Runs until it is killed.
await player.until(() => false);
