import { FileError } from "../../files/file-error.ts";
import type { Node } from "../../files/node.ts";
import { type Invocation, pathOf } from "../invocation.ts";

/** `test`: 0 for true, 1 for false, 2 for a syntax error. */
export async function testExpression(call: Invocation, args: readonly string[]): Promise<number> {
  const result = either(call, [...args]);
  if (result !== undefined) return result ? 0 : 1;
  await call.stderr.write(`/system/bin/sh: ${call.name}: syntax error\n`);
  return 2;
}

function either(call: Invocation, args: string[]): boolean | undefined {
  for (const word of ["-o", "-a"]) {
    const at = args.length > 3 ? args.indexOf(word, 1) : -1;
    if (at < 0) continue;
    const [left, right] = [either(call, args.slice(0, at)), either(call, args.slice(at + 1))];
    if (left === undefined || right === undefined) return undefined;
    return word === "-o" ? left || right : left && right;
  }
  return primary(call, args);
}

function primary(call: Invocation, args: string[]): boolean | undefined {
  const [first = "", second = "", third = ""] = args;
  if (args.length === 0) return false;
  if (args.length === 1) return first !== "";
  if (args.length === 3 && binary(first, second, third) !== undefined) return binary(first, second, third);
  if (first === "!") {
    const inner = either(call, args.slice(1));
    return inner === undefined ? undefined : !inner;
  }
  return args.length === 2 ? unary(call, first, second) : undefined;
}

function unary(call: Invocation, operator: string, operand: string): boolean | undefined {
  if (operator === "-n") return operand !== "";
  if (operator === "-z") return operand === "";
  if (operator === "-t") return call.shell.variables.has("TERM");
  const node = find(call, operand, operator === "-h" || operator === "-L");
  if (operator === "-h" || operator === "-L") return node?.kind === "link";
  if (operator === "-e") return node !== undefined;
  if (operator === "-f") return node?.kind === "file";
  if (operator === "-d") return node?.kind === "directory";
  if (operator === "-c") return node?.kind === "char";
  if (operator === "-s") return node !== undefined && call.shell.files.size(node) > 0;
  const bit = { "-r": 0o444, "-w": 0o222, "-x": 0o111 }[operator];
  return bit === undefined ? undefined : node !== undefined && (node.mode & bit) !== 0;
}

function binary(left: string, operator: string, right: string): boolean | undefined {
  if (operator === "=" || operator === "==") return left === right;
  if (operator === "!=") return left !== right;
  const [a, b] = [Number(left), Number(right)];
  if (!/^-(eq|ne|lt|le|gt|ge)$/.test(operator) || Number.isNaN(a) || Number.isNaN(b)) return undefined;
  return { "-eq": a === b, "-ne": a !== b, "-lt": a < b, "-le": a <= b, "-gt": a > b, "-ge": a >= b }[operator];
}

function find(call: Invocation, path: string, asLink: boolean): Node | undefined {
  try {
    const full = pathOf(call, path);
    return asLink ? call.shell.files.lstat(full) : call.shell.files.stat(full);
  } catch (error) {
    if (error instanceof FileError) return undefined;
    throw error;
  }
}
