import { ScriptError } from "./script.ts";

type Operator = (left: number, right: number) => number;

/** Operators by precedence, lowest first, as in C. */
const levels: Record<string, Operator>[] = [
  { "||": (a, b) => Number(a !== 0 || b !== 0) },
  { "&&": (a, b) => Number(a !== 0 && b !== 0) },
  { "|": (a, b) => a | b },
  { "^": (a, b) => a ^ b },
  { "&": (a, b) => a & b },
  { "==": (a, b) => Number(a === b), "!=": (a, b) => Number(a !== b) },
  {
    "<=": (a, b) => Number(a <= b),
    ">=": (a, b) => Number(a >= b),
    "<": (a, b) => Number(a < b),
    ">": (a, b) => Number(a > b),
  },
  { "<<": (a, b) => a << b, ">>": (a, b) => a >> b },
  { "+": (a, b) => a + b, "-": (a, b) => a - b },
  { "*": (a, b) => a * b, "/": divide, "%": (a, b) => a - divide(a, b) * b },
];

function divide(a: number, b: number): number {
  if (b === 0) throw new ScriptError("divide by zero");
  return Math.trunc(a / b);
}

const MAX_TOKENS = 1000;

/** The value of the expression in `$(( ))`. Unset variables are 0. Throws `ScriptError`. */
export function arithmetic(source: string, variable: (name: string) => string): number {
  const tokens = source.match(/0x[\da-fA-F]+|\d+|[A-Za-z_]\w*|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%()<>&|^!~]|\S/g) ?? [];
  if (tokens.length > MAX_TOKENS) throw new ScriptError("arithmetic: too long");
  let at = 0;

  const level = (depth: number): number => {
    const operators = levels[depth];
    if (!operators) return unary();
    let value = level(depth + 1);
    for (let act = operators[tokens[at] ?? ""]; act; act = operators[tokens[at] ?? ""]) {
      at++;
      value = act(value, level(depth + 1));
    }
    return value;
  };

  const unary = (): number => {
    const token = tokens[at++];
    if (token === "-") return -unary();
    if (token === "+") return unary();
    if (token === "!") return Number(unary() === 0);
    if (token === "~") return ~unary();
    if (token === "(") {
      const value = level(0);
      if (tokens[at++] !== ")") throw new ScriptError(`arithmetic: missing )`);
      return value;
    }
    if (token !== undefined && /^\d/.test(token)) return Number(token);
    if (token !== undefined && /^[A-Za-z_]/.test(token)) return Math.trunc(Number(variable(token))) || 0;
    throw new ScriptError(`arithmetic: unexpected '${token ?? "end"}'`);
  };

  if (tokens.length === 0) return 0;
  const value = level(0);
  if (at < tokens.length) throw new ScriptError(`arithmetic: unexpected '${tokens[at]}'`);
  return value;
}
