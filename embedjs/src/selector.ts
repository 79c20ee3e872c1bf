// The subjects of a selector list, told soundly: Selectors 4
// (https://www.w3.org/TR/selectors-4/#grammar) over tokens of CSS Syntax 3. What
// this does not understand counts for every element.

export interface Subject {
  // What an element must have to be meant, in lower case as quirks mode compares
  // without case: ".class", "#id", a tag or "[attribute"; empty for any element.
  key: string;
  // The pseudo-element it is about, or empty.
  pseudo: string;
}

// CSS's own white space: a no-break space is part of a name.
const SPACE = /[ \t\n\r\f]/;
const NAME = /[-\w]|[^\x00-\x7f]/;

class Unknown extends Error {}

class Parser {
  private at = 0;
  constructor(private text: string) {}

  private get c(): string {
    return this.text[this.at] ?? "";
  }

  list(): Subject[] {
    const out: Subject[] = [];
    for (;;) {
      out[out.length] = this.complex();
      if (this.c === "") return out;
      this.at++; // the comma
    }
  }

  // The last of its compounds.
  private complex(): Subject {
    let subject: Subject | null = null;
    for (;;) {
      while (this.c !== "" && (SPACE.test(this.c) || />|\+|~/.test(this.c))) this.at++;
      if (this.c === "" || this.c === ",") {
        if (!subject) throw new Unknown();
        return subject;
      }
      subject = this.compound();
    }
  }

  private compound(): Subject {
    const keys = { ".": "", "#": "", tag: "", "[": "" };
    let pseudo = "";
    const begin = this.at;
    if (this.c === "*") this.at++;
    else if (this.starts()) keys.tag = this.name();
    if (this.c === "|") throw new Unknown(); // a namespace
    for (;;) {
      const c = this.c;
      if (c === "." || c === "#") {
        this.at++;
        keys[c] = c + this.name();
      } else if (c === "[") keys["["] = "[" + this.attribute();
      else if (c === ":") pseudo = this.pseudo(keys) || pseudo;
      else break;
    }
    const end = this.c;
    if (this.at === begin || (end !== "" && end !== "," && !SPACE.test(end) && !/>|\+|~/.test(end))) throw new Unknown();
    return { key: (keys["."] || keys["#"] || keys.tag || keys["["]).toLowerCase(), pseudo };
  }

  private pseudo(keys: { tag: string }): string {
    this.at++;
    const element = this.c === ":";
    if (element) this.at++;
    const name = this.name().toLowerCase();
    if (this.c === "(") this.skip("(", ")");
    if (name === "root" && !element) keys.tag = keys.tag || "html";
    return element || /^(before|after|first-letter)$/.test(name) ? name : "";
  }

  private attribute(): string {
    this.at++;
    const name = this.name();
    const c = this.c;
    if (c !== "]" && !/[=~^$*]/.test(c) && !(c === "|" && this.text[this.at + 1] === "=")) throw new Unknown();
    this.skip("", "]");
    return name;
  }

  // Goes behind the bracket that closes, past strings, escapes and brackets.
  private skip(open: string, close: string): void {
    let depth = open ? 0 : 1;
    for (; this.at < this.text.length; this.at++) {
      const c = this.c;
      if (c === "\\") this.at++;
      else if (c === '"' || c === "'") this.string(c);
      else if (/[([]/.test(c)) depth++;
      else if (/[)\]]/.test(c) && --depth === 0) {
        if (c !== close) throw new Unknown();
        this.at++;
        return;
      }
    }
    throw new Unknown();
  }

  private string(quote: string): void {
    for (this.at++; this.at < this.text.length && this.c !== quote; this.at++) if (this.c === "\\") this.at++;
  }

  private starts(): boolean {
    return this.c !== "" && (NAME.test(this.c) || this.c === "\\");
  }

  private name(): string {
    let out = "";
    while (this.starts()) {
      if (this.c !== "\\") {
        out += this.c;
        this.at++;
        continue;
      }
      const m = /^\\(?:([0-9a-fA-F]{1,6})(?:\r\n|[ \t\n\r\f])?|([^\n\r\f]))/.exec(this.text.slice(this.at, this.at + 10));
      if (!m) throw new Unknown();
      out += m[1] ? String.fromCodePoint(Math.min(parseInt(m[1], 16), 0x10ffff)) : m[2];
      this.at += m[0].length;
    }
    if (!out) throw new Unknown();
    return out;
  }
}

// null: not understood.
export function subjects(list: string): Subject[] | null {
  try {
    return new Parser(list).list();
  } catch (e) {
    if (e instanceof Unknown) return null;
    throw e;
  }
}
