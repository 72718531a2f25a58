import { readFileSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import { readCsv } from "./read-csv.ts";
import { readXls, readXlsx } from "./read-workbook.ts";
import type { Answer, Task } from "./tables.ts";
import { pickColumns } from "./table.ts";
import { TableError } from "./table-error.ts";
import { writeTable } from "./write-table.ts";

const readers = { csv: readCsv, xls: readXls, xlsx: readXlsx };

function run(task: Task): Answer {
  if (task.what === "write") return { content: writeTable(task.kind, task.name, task.rows) };
  try {
    // With the one that names the columns.
    const maxRows = task.wanted.maxRows + 1;
    const { name, others, rows } = readers[task.kind](readFileSync(task.path), maxRows);
    const sheet = task.kind === "csv" ? null : { name, others };
    return { table: { sheet, rows: pickColumns(rows, task.wanted) } };
  } catch (error) {
    if (error instanceof TableError) return { problem: error.reason, column: error.column };
    throw error;
  }
}

parentPort?.postMessage(run(workerData as Task), []);
