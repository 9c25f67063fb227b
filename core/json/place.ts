import { scanString } from './scalars.ts';

/** Where an offset stands in a JSON text, valid or not. */
export interface CursorPlace {
  /** In or at a member's name, in or at a value, or between the two. */
  readonly role: 'name' | 'value' | 'between';
  /** Reference tokens of the element; where a new name belongs, those of its object. */
  readonly tokens: readonly string[];
  /** Reference tokens of the enclosing object or array. */
  readonly container: readonly string[];
  /** The scalar at the offset, quotes included; empty where a new one would stand. */
  readonly start: number;
  readonly end: number;
  /** Names of the enclosing object's members, the one at the offset left out. */
  readonly names: readonly string[];
}

interface Frame {
  readonly kind: 'object' | 'array';
  /** Where each name starts; few are ever asked for. */
  readonly names: number[];
  index: number;
  expects: 'name' | 'colon' | 'value' | 'comma';
}

const opened = { '{': 'object', '[': 'array' } as const;

/** What each character is to the reader, by its code; it reads whole records between a typist's keys. */
const blank = 1;
const mark = 2;
const quote = 4;
const kinds = new Uint8Array(128);
for (const char of ' \t\r\n') kinds[char.charCodeAt(0)] = blank;
for (const char of '{}[],:') kinds[char.charCodeAt(0)] = mark;
kinds['"'.charCodeAt(0)] = quote;

/** Finds where `offset` stands, reading from the start and forgiving what is missing or too much, as text being typed is. */
export function placeAt(text: string, offset: number): CursorPlace {
  const reader = new Reader(text);
  let found: Omit<CursorPlace, 'names'> | undefined;
  let depth = 0;
  let own: string | undefined;
  for (;;) {
    const frame = reader.frames.at(-1);
    if (!found) {
      const { start, end } = reader;
      const scalar = start < text.length && kindAt(text, start) !== mark;
      if (start >= offset && !(scalar && start === offset)) found = reader.gapAt(offset);
      else if (scalar && end >= offset) {
        found = reader.tokenPlace(start, end);
        if (found.role === 'name') own = found.tokens.at(-1);
      }
      if (found) {
        depth = reader.frames.length;
        if (depth === 0 || frame?.kind !== 'object') return { ...found, names: [] };
      }
    }
    if (reader.start >= text.length) break;
    if (found && reader.closesAt(depth)) break;
    reader.step();
  }
  const place = found ?? reader.gapAt(offset);
  const names = reader.namesOf(reader.frames[found ? depth - 1 : -1] ?? reader.frames.at(-1));
  return { ...place, names: own === undefined ? names : without(names, own) };
}

function without(names: readonly string[], own: string): string[] {
  const at = names.indexOf(own);
  return names.filter((_, index) => index !== at);
}

class Reader {
  readonly frames: Frame[] = [];
  private readonly text: string;
  /** The next token; empty at the end of the text. */
  start = 0;
  end = 0;

  constructor(text: string) {
    this.text = text;
    this.moveTo(0);
  }

  private moveTo(offset: number): void {
    let start = offset;
    while (kindAt(this.text, start) === blank) start += 1;
    this.start = start;
    this.end = start < this.text.length ? this.tokenEnd(start) : start;
  }

  /** Where the token ends that starts at `start`; a string that is not closed ends with its line. */
  private tokenEnd(start: number): number {
    const kind = kindAt(this.text, start);
    if (kind === mark) return start + 1;
    if (kind === quote) return this.stringEnd(start);
    let end = start + 1;
    while (end < this.text.length && kindAt(this.text, end) === 0) end += 1;
    return end;
  }

  private stringEnd(start: number): number {
    const { text } = this;
    for (let at = start + 1; ; at += 1) {
      const char = text.charCodeAt(at);
      if (char === 0x22) return at + 1;
      // An escape, a fault or the end of the text: worth a closer look.
      if (!(char >= 0x20) || char === 0x5c) break;
    }
    const string = scanString(text, start);
    if (typeof string !== 'string') return string.end;
    const line = text.indexOf('\n', start);
    return line === -1 ? text.length : line;
  }

  closesAt(depth: number): boolean {
    return this.frames.length === depth && '}]'.includes(this.text.charAt(this.start) || 'x');
  }

  step(): void {
    const { start } = this;
    const char = this.text.charAt(start);
    const frame = this.frames.at(-1);
    this.moveTo(this.end);
    if (char === '{' || char === '[') {
      const expects = char === '{' ? 'name' : 'value';
      this.frames.push({ kind: opened[char], names: [], index: 0, expects });
    } else if (char === '}' || char === ']') {
      this.frames.pop();
      const outer = this.frames.at(-1);
      if (outer) outer.expects = 'comma';
    } else if (!frame) return;
    else if (char === ',') {
      if (frame.kind === 'array') frame.index += 1;
      frame.expects = frame.kind === 'object' ? 'name' : 'value';
    } else if (char === ':') frame.expects = 'value';
    else if (this.isName(frame, char)) {
      frame.names.push(start);
      frame.expects = 'colon';
    } else frame.expects = 'comma';
  }

  /** A string where a comma was forgotten is the next name; where a colon was, the value. */
  private isName({ kind, expects }: Frame, char: string): boolean {
    return kind === 'object' && (expects === 'name' || (expects === 'comma' && char === '"'));
  }

  tokenPlace(start: number, end: number): Omit<CursorPlace, 'names'> {
    const frame = this.frames.at(-1);
    const container = this.path(this.frames.length - 1);
    if (!frame) return { role: 'value', tokens: [], container: [], start, end };
    if (this.isName(frame, this.text.charAt(start))) {
      const name = nameOf(this.text.slice(start, end));
      return { role: 'name', tokens: [...container, name], container, start, end };
    }
    return { role: 'value', tokens: this.path(this.frames.length), container, start, end };
  }

  gapAt(offset: number): Omit<CursorPlace, 'names'> {
    const frame = this.frames.at(-1);
    const container = this.path(this.frames.length - 1);
    const place = { container, start: offset, end: offset };
    if (!frame) return { role: 'between', tokens: [], ...place };
    if (frame.expects === 'name') return { role: 'name', tokens: container, ...place };
    const tokens = this.path(this.frames.length);
    return { role: frame.expects === 'value' ? 'value' : 'between', tokens, ...place };
  }

  private path(depth: number): string[] {
    return this.frames
      .slice(0, Math.max(0, depth))
      .map(({ kind, names, index }) => (kind === 'array' ? String(index) : this.nameAt(names.at(-1))));
  }

  private nameAt(start: number | undefined): string {
    return start === undefined ? '' : nameOf(this.text.slice(start, this.tokenEnd(start)));
  }

  /** Names of the members that were read so far of an open object. */
  namesOf(frame: Frame | undefined): string[] {
    return frame ? frame.names.map((start) => this.nameAt(start)) : [];
  }
}

function kindAt(text: string, at: number): number {
  return kinds[text.charCodeAt(at)] ?? 0;
}

function nameOf(source: string): string {
  const string = scanString(source, 0);
  return typeof string === 'string' ? source.replace(/^"/, '') : string.value;
}
