import { Handoff } from "@terrarium/adb";
import type { ScreenPipe, ScreenWish } from "@terrarium/runtime";
import { Worker } from "node:worker_threads";

/** What the thread gets. */
export interface ScreenTask {
  /** Of the machine. */
  folder: string;
  wish: ScreenWish;
}

/** Shows the screen of the QEMU of a folder. What fails later is thrown by `read`. */
export function openScreen(folder: string, wish: ScreenWish): ScreenPipe {
  const video = new Handoff();
  const workerData: ScreenTask = { folder, wish };
  const thread = new Worker(new URL("./screen-thread.ts", import.meta.url), { workerData, execArgv: [], stderr: true });
  const post = (message: Uint8Array | "taken" | "close") => thread.postMessage(message, []);
  const closed = new Promise<void>((resolve) => thread.once("exit", () => resolve()));
  void closed.then(() => video.end());
  thread.on("error", (error) => video.end(error));
  thread.on("message", (bytes: Uint8Array) => void video.put(bytes).then(() => post("taken")));
  return {
    closed,
    read: () => video.read(),
    write: (control) => post(control),
    close() {
      video.cancel();
      post("close");
    },
  };
}
