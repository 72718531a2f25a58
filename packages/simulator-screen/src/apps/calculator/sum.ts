const rank: Record<string, number> = { "+": 1, "−": 1, "×": 2, "÷": 2 };

/** The value of a sum with + − × ÷ %, brackets and the usual order; undefined when it is not whole or has no value. */
export function valueOf(text: string): number | undefined {
  const tokens = text.match(/\d*\.?\d+%?|[+−×÷()]/g) ?? [];
  if (tokens.join("") !== text || text === "") return undefined;
  let at = 0;
  const operand = (): number => {
    const token = tokens[at++];
    if (token === "−") return -operand();
    if (token === "(") {
      const inner = sum(0);
      if (tokens[at++] !== ")") return Number.NaN;
      return inner;
    }
    if (token === undefined) return Number.NaN;
    return token.endsWith("%") ? Number(token.slice(0, -1)) / 100 : Number(token);
  };
  const sum = (least: number): number => {
    let left = operand();
    for (;;) {
      const operator = tokens[at];
      const power = operator === undefined ? undefined : rank[operator];
      if (power === undefined || power <= least) return left;
      at++;
      const right = sum(power);
      if (operator === "+") left += right;
      else if (operator === "−") left -= right;
      else if (operator === "×") left *= right;
      else left /= right;
    }
  };
  const value = sum(0);
  return at === tokens.length && Number.isFinite(value) ? value : undefined;
}

/** At most twelve digits, without the noise of binary fractions. */
export const valueText = (value: number): string => String(Number(value.toPrecision(12))).replace("-", "−");

/** The text after a key was pressed. */
export function press(text: string, key: string): string {
  const last = text.at(-1) ?? "";
  if (key === "C") return "";
  if (key === "⌫") return text.slice(0, -1);
  if (key === "=") {
    const value = valueOf(text);
    return value === undefined ? text : valueText(value);
  }
  if (key === "()") return text + (opensBracket(text) ? "(" : ")");
  if (key in rank) {
    if (last === "") return key === "−" ? key : text;
    return (last in rank ? text.slice(0, -1) : text) + key;
  }
  if (key === "%") return /[\d]$/.test(text) ? `${text}%` : text;
  if (key === ".") return /\.\d*$/.test(text) ? text : `${text}${/\d$/.test(text) ? "" : "0"}.`;
  return text + key;
}

function opensBracket(text: string): boolean {
  const open = text.split("(").length - text.split(")").length;
  return open === 0 || !/[\d)%]$/.test(text);
}
