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
  readonly names: string[];
  key: string;
  index: number;
  expects: 'name' | 'colon' | 'value' | 'comma';
}

const opened = { '{': 'object', '[': 'array' } as const;

/** Finds where `offset` stands, reading from the start and forgiving what is missing or too much, as text being typed is. */
export function placeAt(text: string, offset: number): CursorPlace {
  const reader = new Reader(text);
  let found: Omit<CursorPlace, 'names'> | undefined;
  let depth = 0;
  let own: string | undefined;
  for (;;) {
    const frame = reader.frames.at(-1);
    if (!found) {
      const start = reader.nextStart();
      const end = start < text.length ? reader.tokenEnd(start) : start;
      const scalar = !'{}[],:'.includes(text.charAt(start) || ',');
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
    if (reader.nextStart() >= text.length) break;
    if (found && reader.closesAt(depth)) break;
    reader.step();
  }
  const place = found ?? reader.gapAt(offset);
  const names = reader.frames[found ? depth - 1 : -1]?.names ?? reader.frames.at(-1)?.names ?? [];
  return { ...place, names: own === undefined ? names : without(names, own) };
}

function without(names: readonly string[], own: string): string[] {
  const at = names.indexOf(own);
  return names.filter((_, index) => index !== at);
}

class Reader {
  readonly frames: Frame[] = [];
  private readonly text: string;
  private at = 0;

  constructor(text: string) {
    this.text = text;
  }

  nextStart(): number {
    let start = this.at;
    while (' \t\r\n'.includes(this.text.charAt(start) || 'x')) start += 1;
    return start;
  }

  /** Where the token ends that starts at `start`; a string that is not closed ends with its line. */
  tokenEnd(start: number): number {
    const char = this.text.charAt(start);
    if ('{}[],:'.includes(char)) return start + 1;
    if (char === '"') {
      const string = scanString(this.text, start);
      if (typeof string !== 'string') return string.end;
      const line = this.text.indexOf('\n', start);
      return line === -1 ? this.text.length : line;
    }
    let end = start + 1;
    while (end < this.text.length && !'{}[],:" \t\r\n'.includes(this.text.charAt(end))) end += 1;
    return end;
  }

  closesAt(depth: number): boolean {
    return this.frames.length === depth && '}]'.includes(this.text.charAt(this.nextStart()) || 'x');
  }

  step(): void {
    const start = this.nextStart();
    const end = this.tokenEnd(start);
    const char = this.text.charAt(start);
    const frame = this.frames.at(-1);
    this.at = end;
    if (char === '{' || char === '[') {
      const expects = char === '{' ? 'name' : 'value';
      this.frames.push({ kind: opened[char], names: [], key: '', index: 0, expects });
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
      frame.key = nameOf(this.text.slice(start, end));
      frame.names.push(frame.key);
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
      .map(({ kind, key, index }) => (kind === 'array' ? String(index) : key));
  }
}

function nameOf(source: string): string {
  const string = scanString(source, 0);
  return typeof string === 'string' ? source.replace(/^"/, '') : string.value;
}
