import { JsonSyntaxError, type JsonFault, type JsonFaultKind } from './fault.ts';
import { describeForeignSyntax } from './foreign-syntax.ts';
import type { JsonArray, JsonMember, JsonNode, JsonObject } from './node.ts';
import { scanNumber, scanString } from './scalars.ts';

/** Deepest nesting that is read; a limit set before anything recursive touches the tree. */
export const maxDepth = 64;

/** Longest property name: it stands in the path of each fault and finding below it, and FHIR's own have 40 at most. */
export const maxName = 128;

/** Faults that are noted; a hostile body has one for every few bytes. */
const mostFaults = 100;

/** Names that no member may have: they would reach into what JavaScript makes of every object. */
export const forbiddenNames: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

export interface Scan {
  readonly root: JsonNode;
  /** The first faults that do not stop the reading, in the order of the text; an exact record has none. */
  readonly faults: readonly JsonFault[];
}

interface Frame {
  readonly container: JsonObject | JsonArray;
  /** Own keys seen so far, made only when an object grows beyond a handful of members. */
  keys?: Set<string>;
}

/** Writes through the readonly face of a node while it is being read. */
type Open<T> = { -readonly [K in keyof T]: T[K] };

/**
 * Reads a JSON text (RFC 8259) in one pass and without recursion.
 *
 * @throws JsonSyntaxError where the text is not JSON, nests deeper than `depth` levels, or holds more than so many
 * `values`: objects, arrays, strings, numbers and literals.
 */
export function scan(text: string, depth: number = maxDepth, values = Infinity): Scan {
  return new Scanner(text, depth, values).read();
}

/** The same of any text: where it cannot be read to its end there is no root, and what stopped the reading is the fault. */
export function tryScan(
  text: string,
  depth?: number,
  values?: number,
): Pick<Scan, 'faults'> & Partial<Pick<Scan, 'root'>> {
  try {
    return scan(text, depth, values);
  } catch (error) {
    if (error instanceof JsonSyntaxError) return { faults: [error.fault] };
    throw error;
  }
}

/** The object that a text is; undefined for any other text. */
export function objectIn(text: string): JsonObject | undefined {
  const { root } = tryScan(text);
  return root?.kind === 'object' ? root : undefined;
}

class Scanner {
  private readonly text: string;
  private readonly depth: number;
  private readonly most: number;
  /** Whether only escapes can name half of a surrogate pair. */
  private readonly wellFormed: boolean;
  private at = 0;
  private values = 0;
  private readonly frames: Frame[] = [];
  private readonly faults: JsonFault[] = [];

  constructor(text: string, depth: number, most: number) {
    this.text = text;
    this.depth = depth;
    this.most = most;
    this.wellFormed = text.isWellFormed();
  }

  read(): Scan {
    let root: JsonNode | undefined;
    for (;;) {
      let node: JsonNode | undefined = this.openOrScalar();
      while (node) {
        const frame = this.frames[this.frames.length - 1];
        if (!frame) {
          root = node;
          break;
        }
        node = this.attach(frame, node);
      }
      if (root) break;
    }
    this.skipSpace();
    if (this.at < this.text.length) this.fail('Text follows the end of the JSON value');
    return { root, faults: this.faults };
  }

  /** Reads a scalar or an empty container whole; an opened container is pushed and undefined is returned. */
  private openOrScalar(): JsonNode | undefined {
    this.skipSpace();
    const start = this.at;
    this.values += 1;
    if (this.values > this.most) {
      this.stop('too-many', `The JSON holds more than ${this.most} values`, start);
    }
    const char = this.text.charCodeAt(start);
    switch (char) {
      case 0x7b: // {
        return this.openContainer({ kind: 'object', members: [], start, end: start });
      case 0x5b: // [
        return this.openContainer({ kind: 'array', items: [], start, end: start });
      case 0x22: {
        const value = this.string();
        const end = this.at;
        return { kind: 'string', value, source: this.text.slice(start, end), start, end };
      }
      case 0x74:
        return this.literal('true', { kind: 'boolean', value: true, start, end: start + 4 });
      case 0x66:
        return this.literal('false', { kind: 'boolean', value: false, start, end: start + 5 });
      case 0x6e:
        return this.literal('null', { kind: 'null', start, end: start + 4 });
      default: {
        const end = scanNumber(this.text, start);
        if (end === undefined) {
          this.fail(start >= this.text.length ? 'The JSON text ends too early' : 'A JSON value is expected');
        }
        this.at = end;
        return { kind: 'number', source: this.text.slice(start, end), start, end };
      }
    }
  }

  private openContainer(container: JsonObject | JsonArray): JsonNode | undefined {
    this.at += 1;
    if (this.frames.length >= this.depth) {
      this.stop('too-deep', `The JSON nests deeper than ${this.depth} levels`, container.start);
    }
    this.skipSpace();
    if (this.text.charCodeAt(this.at) === closing(container)) return this.close(container);
    this.frames.push({ container });
    if (container.kind === 'object') this.key(container);
    return undefined;
  }

  /** Adds a finished value to the open container; returns the container when this value was its last. */
  private attach(frame: Frame, node: JsonNode): JsonNode | undefined {
    const { container } = frame;
    if (container.kind === 'array') container.items.push(node);
    else lastMember(container).value = node;
    this.skipSpace();
    const char = this.text.charCodeAt(this.at);
    if (char === 0x2c) {
      this.at += 1;
      if (container.kind === 'object') this.key(container);
      return undefined;
    }
    if (char === closing(container)) {
      this.frames.pop();
      return this.close(container);
    }
    this.fail(container.kind === 'array' ? 'A comma or ] is expected' : 'A comma or } is expected');
  }

  private close(container: Open<JsonObject> | Open<JsonArray>): JsonNode {
    this.at += 1;
    container.end = this.at;
    return container;
  }

  private key(container: JsonObject): void {
    this.skipSpace();
    const start = this.at;
    if (this.text.charCodeAt(start) !== 0x22) this.fail('A property name in double quotes is expected');
    const key = this.string();
    const end = this.at;
    if (this.seen(container, key)) this.note('duplicate-key', 'A property name stands twice', start, end);
    if (key.length > maxName) {
      this.note('long-key', `A property name has more than ${maxName} characters`, start, end);
    }
    if (forbiddenNames.has(key)) this.note('forbidden-key', 'This property name is not allowed', start, end);
    this.skipSpace();
    if (this.text.charCodeAt(this.at) !== 0x3a) this.fail('A colon is expected');
    this.at += 1;
    const keySource = this.text.slice(start, end);
    const pending: JsonMember = { key, keySource, keySpan: { start, end }, value: container };
    container.members.push(pending);
  }

  private seen(container: JsonObject, key: string): boolean {
    const { members } = container;
    if (members.length < 12) {
      for (const member of members) if (member.key === key) return true;
      return false;
    }
    const frame = this.frames.at(-1);
    if (!frame) return false;
    frame.keys ??= new Set(members.map((member) => member.key));
    const known = frame.keys.has(key);
    frame.keys.add(key);
    return known;
  }

  /** Reads the string that starts here, and stands behind it then. */
  private string(): string {
    const { text } = this;
    const start = this.at;
    let end = start + 1;
    let char = text.charCodeAt(end);
    while (char >= 0x20 && char !== 0x22 && char !== 0x5c) {
      end += 1;
      char = text.charCodeAt(end);
    }
    if (char === 0x22 && this.wellFormed) {
      this.at = end + 1;
      return text.slice(start + 1, end);
    }
    const result = scanString(text, start);
    if (typeof result === 'string') this.fail(result);
    this.at = result.end;
    if (!result.value.isWellFormed()) {
      this.note('lone-surrogate', 'Half of a UTF-16 surrogate pair stands alone', start, result.end);
    }
    return result.value;
  }

  private literal(word: string, node: JsonNode): JsonNode {
    if (!this.text.startsWith(word, this.at)) this.fail('A JSON value is expected');
    this.at += word.length;
    return node;
  }

  private skipSpace(): void {
    for (;;) {
      const char = this.text.charCodeAt(this.at);
      if (char !== 0x20 && char !== 0x0a && char !== 0x0d && char !== 0x09) return;
      this.at += 1;
    }
  }

  private note(kind: JsonFaultKind, message: string, start: number, end: number): void {
    if (this.faults.length < mostFaults) {
      this.faults.push({ kind, message, start, end, path: this.path() });
    }
  }

  private fail(message: string): never {
    this.stop('syntax', describeForeignSyntax(this.text, this.at) ?? message, this.at);
  }

  private stop(kind: JsonFaultKind, message: string, offset: number): never {
    throw new JsonSyntaxError({ kind, message, start: offset, end: offset + 1, path: this.path() });
  }

  /** The reference tokens of the innermost open container. */
  private path(): string[] {
    return this.frames
      .slice(0, -1)
      .map(({ container }) =>
        container.kind === 'array' ? String(container.items.length) : lastMember(container).key,
      );
  }
}

function closing(container: JsonObject | JsonArray): number {
  return container.kind === 'array' ? 0x5d : 0x7d;
}

function lastMember(container: JsonObject): JsonMember {
  const last = container.members.at(-1);
  if (!last) throw new TypeError('The object has no open member');
  return last;
}
