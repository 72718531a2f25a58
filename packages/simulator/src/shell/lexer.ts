import { type Part, type Script, ScriptError, type Word } from "./script.ts";

export type Token = { kind: "word"; word: Word; raw: string } | { kind: "operator"; text: string } | { kind: "end" };

const OPERATORS = ["&&", "||", ">>", "<<", ">&", "<&", ";;", ";", "|", "&", "<", ">", "(", ")", "\n"];
const MAX_DEPTH = 32;

/** Splits a script into words and operators. `parse` reads the content of `$( )`. */
export class Lexer {
  readonly #source: string;
  /** How many of `$( )`, `$(( ))` and `${ }` are open around this place. */
  #depth: number;
  readonly #parse: (source: string, depth: number) => Script;
  #at = 0;

  constructor(source: string, depth: number, parse: (source: string, depth: number) => Script) {
    if (depth > MAX_DEPTH) throw new ScriptError("syntax error: nested too deeply");
    this.#source = source;
    this.#depth = depth;
    this.#parse = parse;
  }

  next(): Token {
    const source = this.#source;
    for (;;) {
      const char = source[this.#at];
      if (char === " " || char === "\t" || char === "\r") this.#at++;
      else if (char === "\\" && source[this.#at + 1] === "\n") this.#at += 2;
      else if (char === "#") while (this.#at < source.length && source[this.#at] !== "\n") this.#at++;
      else break;
    }
    if (this.#at >= source.length) return { kind: "end" };
    // A digit directly before < or > is a file descriptor.
    const descriptor = /^[0-2](?=[<>])/.exec(source.slice(this.#at, this.#at + 2));
    if (descriptor) {
      this.#at++;
      const operator = this.next();
      return operator.kind === "operator" ? { kind: "operator", text: descriptor[0] + operator.text } : operator;
    }
    const operator = OPERATORS.find((text) => source.startsWith(text, this.#at));
    if (operator) {
      this.#at += operator.length;
      return { kind: "operator", text: operator };
    }
    const from = this.#at;
    const word = this.#word((char) => /[\s;|&<>()]/.test(char));
    return { kind: "word", word, raw: source.slice(from, this.#at) };
  }

  #word(isEnd: (char: string) => boolean): Word {
    const parts: Part[] = [];
    const text = (value: string, quoted: boolean) => {
      const last = parts.at(-1);
      if (last?.kind === "text" && last.quoted === quoted) last.text += value;
      else parts.push({ kind: "text", text: value, quoted });
    };
    for (;;) {
      const char = this.#source[this.#at];
      if (char === undefined || isEnd(char)) return parts;
      if (char === "'") {
        const end = this.#source.indexOf("'", this.#at + 1);
        if (end < 0) throw new ScriptError("syntax error: no closing quote", true);
        text(this.#source.slice(this.#at + 1, end), true);
        this.#at = end + 1;
      } else if (char === '"') this.#doubleQuoted(parts, text);
      else if (char === "\\") {
        const next = this.#source[this.#at + 1];
        if (next === undefined) text("\\", true);
        else if (next !== "\n") text(next, true);
        this.#at += 2;
      } else if (char === "$") this.#dollar(parts, text, false);
      else if (char === "`") this.#backquoted(parts, false);
      else {
        text(char, false);
        this.#at++;
      }
    }
  }

  #doubleQuoted(parts: Part[], text: (value: string, quoted: boolean) => void): void {
    this.#at++;
    text("", true);
    for (;;) {
      const char = this.#source[this.#at];
      if (char === undefined) throw new ScriptError("syntax error: no closing quote", true);
      if (char === '"') {
        this.#at++;
        return;
      }
      if (char === "\\" && /["\\$`\n]/.test(this.#source[this.#at + 1] ?? "")) {
        if (this.#source[this.#at + 1] !== "\n") text(this.#source[this.#at + 1]!, true);
        this.#at += 2;
      } else if (char === "$") this.#dollar(parts, text, true);
      else if (char === "`") this.#backquoted(parts, true);
      else {
        text(char, true);
        this.#at++;
      }
    }
  }

  #dollar(parts: Part[], text: (value: string, quoted: boolean) => void, quoted: boolean): void {
    const rest = this.#source.slice(this.#at + 1);
    if (rest.startsWith("((")) {
      const from = this.#at + 3;
      const end = this.#closing(from);
      if (this.#source[end + 1] !== ")") throw new ScriptError("syntax error: no closing ))", true);
      const inner = new Lexer(this.#source.slice(from, end), this.#depth + 1, this.#parse);
      parts.push({ kind: "arithmetic", source: inner.#word(() => false), quoted });
      this.#at = end + 2;
      return;
    }
    if (rest.startsWith("(")) {
      const from = this.#at + 2;
      this.#at = this.#closing(from);
      parts.push({ kind: "command", script: this.#parse(this.#source.slice(from, this.#at), this.#depth + 1), quoted });
      this.#at++;
      return;
    }
    if (rest.startsWith("{")) {
      const name = /^\{([A-Za-z_]\w*|[0-9?#@*$!])(:?-)?/.exec(rest);
      if (!name) throw new ScriptError("bad substitution");
      this.#at += 1 + name[0].length;
      const fallback = name[2] ? this.#fallback() : undefined;
      if (this.#source[this.#at] !== "}") throw new ScriptError("bad substitution", this.#at >= this.#source.length);
      this.#at++;
      parts.push({ kind: "variable", name: name[1]!, quoted, fallback });
      return;
    }
    const name = /^([A-Za-z_]\w*|[0-9?#@*$!])/.exec(rest);
    this.#at += 1 + (name?.[0].length ?? 0);
    if (name) parts.push({ kind: "variable", name: name[0], quoted, fallback: undefined });
    else text("$", quoted);
  }

  /** The word after `:-`, which may itself contain `${ }`. */
  #fallback(): Word {
    if (++this.#depth > MAX_DEPTH) throw new ScriptError("syntax error: nested too deeply");
    const word = this.#word((char) => char === "}");
    this.#depth--;
    return word;
  }

  #backquoted(parts: Part[], quoted: boolean): void {
    const end = this.#source.indexOf("`", this.#at + 1);
    if (end < 0) throw new ScriptError("syntax error: no closing quote", true);
    parts.push({
      kind: "command",
      script: this.#parse(this.#source.slice(this.#at + 1, end), this.#depth + 1),
      quoted,
    });
    this.#at = end + 1;
  }

  /** The position of the bracket that closes the one opened just before `from`. Quotes are skipped. */
  #closing(from: number): number {
    let open = 1;
    for (let at = from; at < this.#source.length; at++) {
      const char = this.#source[at];
      if (char === "\\") at++;
      else if (char === "'" || char === '"') {
        const quote = char;
        for (at++; at < this.#source.length && this.#source[at] !== quote; at++)
          if (quote === '"' && this.#source[at] === "\\") at++;
      } else if (char === "(") open++;
      else if (char === ")" && --open === 0) return at;
    }
    throw new ScriptError("syntax error: no closing )", true);
  }
}
