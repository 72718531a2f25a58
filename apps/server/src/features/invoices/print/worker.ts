import { parentPort, workerData } from "node:worker_threads";
import { printInvoice } from "./print-invoice.ts";
import type { Printed, PrintedLine } from "./printed.ts";

const port = parentPort;
if (!port) throw new Error("Invoices are printed in a thread");

/** Lines as they are posted, some at once, until null is. */
const posted = new ReadableStream<readonly PrintedLine[]>({
  start(lines) {
    port.on("message", (batch: readonly PrintedLine[] | null) => (batch ? lines.enqueue(batch) : lines.close()));
  },
});

const file = await printInvoice(workerData as Printed, posted);
port.postMessage(file, []);
