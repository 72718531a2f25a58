import { Lexer, type Token } from "./lexer.ts";
import { type Node, type Pipeline, type Redirect, type Script, ScriptError, type Word } from "./script.ts";

const RESERVED = new Set([
  "if",
  "then",
  "elif",
  "else",
  "fi",
  "for",
  "in",
  "while",
  "until",
  "do",
  "done",
  "{",
  "}",
  "!",
]);
const redirectKinds = { "<": "read", ">": "write", ">>": "append", ">&": "duplicate", "<&": "duplicate" } as const;

/** Parses a script. Throws `ScriptError`. */
export function parseScript(source: string, depth = 0): Script {
  return new Parser(new Lexer(source, depth, parseScript)).whole();
}

class Parser {
  readonly #lexer: Lexer;
  #token: Token;
  #depth = 0;

  constructor(lexer: Lexer) {
    this.#lexer = lexer;
    this.#token = lexer.next();
  }

  whole(): Script {
    const script = this.#list(() => false);
    if (this.#token.kind !== "end") throw this.#unexpected();
    return script;
  }

  #list(isEnd: () => boolean): Script {
    if (++this.#depth > 64) throw new ScriptError("syntax error: nested too deeply");
    const script: Script = [];
    let when: Script[number]["when"] = "always";
    for (;;) {
      this.#skipBetween(script.length > 0 && when === "always");
      if (this.#isEnd() || this.#isOperator(")") || isEnd()) {
        if (when !== "always") throw this.#unexpected();
        this.#depth--;
        return script;
      }
      script.push({ when, pipeline: this.#pipeline() });
      if (this.#take("&&")) when = "success";
      else if (this.#take("||")) when = "failure";
      else {
        when = "always";
        if (this.#isOperator("&")) throw new ScriptError("syntax error: background jobs are not supported");
        if (!this.#isOperator(";") && !this.#isOperator("\n") && !this.#isEnd() && !this.#isOperator(")") && !isEnd())
          throw this.#unexpected();
      }
    }
  }

  /** Skips line ends, and after a complete command semicolons too. */
  #skipBetween(afterCommand: boolean): void {
    while (this.#isOperator("\n") || this.#isOperator(";")) {
      if (!afterCommand && this.#isOperator(";")) return;
      this.#advance();
    }
  }

  #pipeline(): Pipeline {
    let negated = false;
    while (this.#takeWord("!")) negated = !negated;
    const stages = [this.#command()];
    while (this.#take("|")) {
      while (this.#take("\n"));
      stages.push(this.#command());
    }
    return { negated, stages };
  }

  #command(): Node {
    if (this.#take("(")) {
      const body = this.#list(() => false);
      this.#expect(")");
      return { kind: "group", body, subshell: true, redirects: this.#redirects() };
    }
    if (this.#takeWord("{")) {
      const body = this.#until("}");
      return { kind: "group", body, subshell: false, redirects: this.#redirects() };
    }
    if (this.#takeWord("if")) return this.#if();
    if (this.#takeWord("while")) return this.#loop(false);
    if (this.#takeWord("until")) return this.#loop(true);
    if (this.#takeWord("for")) return this.#for();
    return this.#simple();
  }

  #if(): Node {
    const branches: { test: Script; body: Script }[] = [];
    let otherwise: Script = [];
    for (;;) {
      const test = this.#until("then");
      const body = this.#list(() => this.#isWord("elif") || this.#isWord("else") || this.#isWord("fi"));
      branches.push({ test, body });
      if (this.#takeWord("elif")) continue;
      if (this.#takeWord("else")) otherwise = this.#until("fi");
      else if (!this.#takeWord("fi")) throw this.#unexpected();
      return { kind: "if", branches, otherwise, redirects: this.#redirects() };
    }
  }

  #loop(until: boolean): Node {
    const test = this.#until("do");
    const body = this.#until("done");
    return { kind: "loop", test, until, body, redirects: this.#redirects() };
  }

  #for(): Node {
    if (this.#token.kind !== "word") throw this.#unexpected();
    const name = this.#token.raw;
    this.#advance();
    const words = [];
    if (this.#takeWord("in"))
      while (this.#token.kind === "word") {
        words.push(this.#token.word);
        this.#advance();
      }
    while (this.#take(";") || this.#take("\n"));
    if (!this.#takeWord("do")) throw this.#unexpected();
    return { kind: "for", name, words, body: this.#until("done"), redirects: this.#redirects() };
  }

  #simple(): Node {
    const node: Extract<Node, { kind: "simple" }> = { kind: "simple", assignments: [], words: [], redirects: [] };
    for (;;) {
      const token = this.#token;
      if (token.kind === "operator") {
        const redirect = this.#redirect();
        if (!redirect) break;
        node.redirects.push(redirect);
        continue;
      }
      if (token.kind === "end") break;
      if (node.words.length === 0 && RESERVED.has(token.raw)) throw this.#unexpected();
      const assignment = node.words.length === 0 ? /^([A-Za-z_]\w*)=/.exec(token.raw) : null;
      const first = token.word[0];
      if (assignment && first?.kind === "text" && !first.quoted) {
        const rest = first.text.slice(assignment[0].length);
        const value = [...(rest ? [{ ...first, text: rest }] : []), ...token.word.slice(1)];
        node.assignments.push({ name: assignment[1]!, value });
      } else node.words.push(token.word);
      this.#advance();
    }
    if (node.words.length + node.assignments.length + node.redirects.length === 0) throw this.#unexpected();
    return node;
  }

  #redirects(): Redirect[] {
    const redirects: Redirect[] = [];
    for (let one = this.#redirect(); one; one = this.#redirect()) redirects.push(one);
    return redirects;
  }

  #redirect(): Redirect | undefined {
    if (this.#token.kind !== "operator") return undefined;
    const match = /^([0-2]?)(>>|>&|<&|>|<)$/.exec(this.#token.text);
    if (!match) {
      if (/^[0-2]?<<$/.test(this.#token.text)) throw new ScriptError("syntax error: here documents are not supported");
      return undefined;
    }
    this.#advance();
    const target = this.#takeAnyWord();
    const kind = redirectKinds[match[2] as keyof typeof redirectKinds];
    return { from: match[1] ? Number(match[1]) : match[2]!.startsWith("<") ? 0 : 1, kind, target };
  }

  #until(word: string): Script {
    const script = this.#list(() => this.#isWord(word));
    if (!this.#takeWord(word)) throw this.#unexpected();
    return script;
  }

  #advance(): void {
    this.#token = this.#lexer.next();
  }
  #takeAnyWord(): Word {
    const token = this.#token;
    if (token.kind !== "word") throw this.#unexpected();
    this.#advance();
    return token.word;
  }
  #isEnd(): boolean {
    return this.#token.kind === "end";
  }
  #isOperator(text: string): boolean {
    return this.#token.kind === "operator" && this.#token.text === text;
  }
  #isWord(raw: string): boolean {
    return this.#token.kind === "word" && this.#token.raw === raw;
  }
  #take(text: string): boolean {
    if (!this.#isOperator(text)) return false;
    this.#advance();
    return true;
  }
  #takeWord(raw: string): boolean {
    if (!this.#isWord(raw)) return false;
    this.#advance();
    return true;
  }
  #expect(text: string): void {
    if (!this.#take(text)) throw this.#unexpected();
  }
  #unexpected(): ScriptError {
    if (this.#token.kind === "end") return new ScriptError("syntax error: unexpected end of file", true);
    const text = this.#token.kind === "word" ? this.#token.raw : this.#token.text;
    return new ScriptError(`syntax error: unexpected '${text === "\n" ? "newline" : text}'`);
  }
}
