import { scanString } from './scalars.ts';

/** Location of an offset in JSON text. The text may be invalid. */
export interface CursorLocation {
  /** In or next to a name, in or next to a value, or between them. */
  readonly role: 'name' | 'value' | 'between';
  /** Reference tokens of the element; of its object for a new name. */
  readonly tokens: readonly string[];
  /** Reference tokens of the enclosing object or array. */
  readonly container: readonly string[];
  /** Range of the scalar at the offset with quotes; empty for a new one. */
  readonly start: number;
  readonly end: number;
  /** Names of the other members of the enclosing object. */
  readonly names: readonly string[];
}

interface Frame {
  readonly kind: 'object' | 'array';
  /** Start offsets of names. They are decoded on demand, because few are needed. */
  readonly names: number[];
  index: number;
  expects: 'name' | 'colon' | 'value' | 'comma';
}

const containerKinds = { '{': 'object', '[': 'array' } as const;

/** Character classes by code. The reader scans whole records between two keystrokes. */
const blank = 1;
const mark = 2;
const quote = 4;
const kinds = new Uint8Array(128);
for (const char of ' \t\r\n') kinds[char.charCodeAt(0)] = blank;
for (const char of '{}[],:') kinds[char.charCodeAt(0)] = mark;
kinds['"'.charCodeAt(0)] = quote;

/**
 * Locates `offset`, reading from the start. Tolerates missing and extra tokens, as in text that is being
 * typed.
 */
export function locateOffset(text: string, offset: number): CursorLocation {
  const reader = new Reader(text);
  let location: Omit<CursorLocation, 'names'> | undefined;
  let depth = 0;
  let ownName: string | undefined;
  for (;;) {
    const frame = reader.frames.at(-1);
    if (!location) {
      const { start, end } = reader;
      const scalar = start < text.length && kindAt(text, start) !== mark;
      if (start >= offset && !(scalar && start === offset)) location = reader.gapAt(offset);
      else if (scalar && end >= offset) {
        location = reader.tokenPlace(start, end);
        if (location.role === 'name') ownName = location.tokens.at(-1);
      }
      if (location) {
        depth = reader.frames.length;
        if (depth === 0 || frame?.kind !== 'object') return { ...location, names: [] };
      }
    }
    if (reader.start >= text.length) break;
    if (location && reader.closesAt(depth)) break;
    reader.step();
  }
  const resultLocation = location ?? reader.gapAt(offset);
  const names = reader.namesOf(reader.frames[location ? depth - 1 : -1] ?? reader.frames.at(-1));
  return { ...resultLocation, names: ownName === undefined ? names : removeName(names, ownName) };
}

function removeName(names: readonly string[], ownName: string): string[] {
  const ownIndex = names.indexOf(ownName);
  return names.filter((_, index) => index !== ownIndex);
}

class Reader {
  readonly frames: Frame[] = [];
  private readonly text: string;
  /** Bounds of the next token; empty at the end of the text. */
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

  /** Returns the end of the token that starts at `start`. An unterminated string ends with its line. */
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
    for (let offset = start + 1; ; offset += 1) {
      const char = text.charCodeAt(offset);
      if (char === 0x22) return offset + 1;
      // An escape, an error or the end of the text needs a full scan.
      if (!(char >= 0x20) || char === 0x5c) break;
    }
    const string = scanString(text, start);
    if ('end' in string) return string.end;
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
      this.frames.push({ kind: containerKinds[char], names: [], index: 0, expects });
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

  /** A string after a missing comma is a name; after a missing colon it is a value. */
  private isName({ kind, expects }: Frame, char: string): boolean {
    return kind === 'object' && (expects === 'name' || (expects === 'comma' && char === '"'));
  }

  tokenPlace(start: number, end: number): Omit<CursorLocation, 'names'> {
    const frame = this.frames.at(-1);
    const container = this.path(this.frames.length - 1);
    if (!frame) return { role: 'value', tokens: [], container: [], start, end };
    if (this.isName(frame, this.text.charAt(start))) {
      const name = nameOf(this.text.slice(start, end));
      return { role: 'name', tokens: [...container, name], container, start, end };
    }
    return { role: 'value', tokens: this.path(this.frames.length), container, start, end };
  }

  gapAt(offset: number): Omit<CursorLocation, 'names'> {
    const frame = this.frames.at(-1);
    const container = this.path(this.frames.length - 1);
    const position = { container, start: offset, end: offset };
    if (!frame) return { role: 'between', tokens: [], ...position };
    if (frame.expects === 'name') return { role: 'name', tokens: container, ...position };
    const tokens = this.path(this.frames.length);
    return { role: frame.expects === 'value' ? 'value' : 'between', tokens, ...position };
  }

  private path(depth: number): string[] {
    return this.frames
      .slice(0, Math.max(0, depth))
      .map(({ kind, names, index }) => (kind === 'array' ? String(index) : this.nameAt(names.at(-1))));
  }

  private nameAt(start: number | undefined): string {
    return start === undefined ? '' : nameOf(this.text.slice(start, this.tokenEnd(start)));
  }

  /** Returns the names read so far of an open object. */
  namesOf(frame: Frame | undefined): string[] {
    return frame ? frame.names.map((start) => this.nameAt(start)) : [];
  }
}

function kindAt(text: string, offset: number): number {
  return kinds[text.charCodeAt(offset)] ?? 0;
}

function nameOf(source: string): string {
  const string = scanString(source, 0);
  return 'value' in string ? string.value : source.replace(/^"/, '');
}
