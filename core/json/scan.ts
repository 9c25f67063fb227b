import { JsonSyntaxError, type JsonProblem, type JsonProblemCode } from './json-problem.ts';
import { defineMessages, type Message } from '../text/message.ts';
import { describeForeignSyntax } from './foreign-syntax.ts';
import type { JsonArray, JsonMember, JsonNode, JsonObject } from './node.ts';
import { scanNumber, scanString } from './scalars.ts';

/** Maximum nesting. Checked before any recursive code sees the tree. */
export const maxDepth = 64;

/**
 * Maximum length of a property name. Paths of problems and findings contain the name. FHIR names have up to
 * 40 characters.
 */
export const maxName = 128;

/** Maximum count of recorded problems. A hostile body can have one every few bytes. */
const maxFaults = 100;

/** Forbidden member names. They would reach into JavaScript's object prototype. */
export const forbiddenNames: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

const messages = defineMessages('json', {
  textAfterEnd: 'Unexpected text after the end of the JSON.',
  tooMany: 'The JSON has more than {n} values.',
  endsEarly: 'The JSON ends too early.',
  valueExpected: 'JSON value expected.',
  tooDeep: 'The JSON is nested deeper than {n} levels.',
  itemEndExpected: ', or ] expected.',
  memberEndExpected: ', or } expected.',
  nameExpected: 'Property name in double quotes expected.',
  duplicateName: 'Duplicate property name.',
  longName: 'A property name is longer than {n} characters.',
  forbiddenName: 'This property name isn’t allowed.',
  colonExpected: ': expected.',
  loneSurrogate: 'Unpaired UTF-16 surrogate.',
});

export interface Scan {
  readonly root: JsonNode;
  /** The first problems that do not stop the parsing, in order of the text. An exact record has none. */
  readonly problems: readonly JsonProblem[];
}

interface Frame {
  readonly container: JsonObject | JsonArray;
  /** Keys seen so far. Created for objects with many members only. */
  keys?: Set<string>;
}

/** Makes the members of a node writable while it is being read. */
type Open<T> = { -readonly [K in keyof T]: T[K] };

/**
 * Parses JSON text (RFC 8259) in one pass and without recursion.
 *
 * @param depth - Maximum nesting.
 * @param values - Maximum count of objects, arrays, strings, numbers and literals.
 * @throws JsonSyntaxError if the text is not JSON or exceeds a limit.
 */
export function scan(text: string, depth: number = maxDepth, values = Infinity): Scan {
  return new Scanner(text, depth, values).read();
}

/**
 * Parses any text like {@link scan}. If parsing stops, there is no root and the reason is the only problem.
 */
export function tryScan(
  text: string,
  depth?: number,
  values?: number,
): Pick<Scan, 'problems'> & Partial<Pick<Scan, 'root'>> {
  try {
    return scan(text, depth, values);
  } catch (error) {
    if (error instanceof JsonSyntaxError) return { problems: [error.fault] };
    throw error;
  }
}

/** Parses a JSON object; undefined for any other text. */
export function objectIn(text: string): JsonObject | undefined {
  const { root } = tryScan(text);
  return root?.kind === 'object' ? root : undefined;
}

class Scanner {
  private readonly text: string;
  private readonly depth: number;
  private readonly maxValues: number;
  /** True if only escapes can contain half of a surrogate pair. */
  private readonly wellFormed: boolean;
  private offset = 0;
  private values = 0;
  private readonly frames: Frame[] = [];
  private readonly faults: JsonProblem[] = [];

  constructor(text: string, depth: number, maxValues: number) {
    this.text = text;
    this.depth = depth;
    this.maxValues = maxValues;
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
    if (this.offset < this.text.length) this.fail(messages.textAfterEnd());
    return { root, problems: this.faults };
  }

  /** Reads a scalar or an empty container. Pushes an opened container and returns undefined. */
  private openOrScalar(): JsonNode | undefined {
    this.skipSpace();
    const start = this.offset;
    this.values += 1;
    if (this.values > this.maxValues) {
      this.stop('too-many', messages.tooMany({ n: this.maxValues }), start);
    }
    const char = this.text.charCodeAt(start);
    switch (char) {
      case 0x7b: // {
        return this.openContainer({ kind: 'object', members: [], start, end: start });
      case 0x5b: // [
        return this.openContainer({ kind: 'array', items: [], start, end: start });
      case 0x22: {
        const value = this.string();
        const end = this.offset;
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
          this.fail(start >= this.text.length ? messages.endsEarly() : messages.valueExpected());
        }
        this.offset = end;
        return { kind: 'number', source: this.text.slice(start, end), start, end };
      }
    }
  }

  private openContainer(container: JsonObject | JsonArray): JsonNode | undefined {
    this.offset += 1;
    if (this.frames.length >= this.depth) {
      this.stop('too-deep', messages.tooDeep({ n: this.depth }), container.start);
    }
    this.skipSpace();
    if (this.text.charCodeAt(this.offset) === closing(container)) return this.close(container);
    this.frames.push({ container });
    if (container.kind === 'object') this.key(container);
    return undefined;
  }

  /** Adds a finished value to the open container. Returns the container if this was its last value. */
  private attach(frame: Frame, node: JsonNode): JsonNode | undefined {
    const { container } = frame;
    if (container.kind === 'array') container.items.push(node);
    else lastMember(container).value = node;
    this.skipSpace();
    const char = this.text.charCodeAt(this.offset);
    if (char === 0x2c) {
      this.offset += 1;
      if (container.kind === 'object') this.key(container);
      return undefined;
    }
    if (char === closing(container)) {
      this.frames.pop();
      return this.close(container);
    }
    this.fail(container.kind === 'array' ? messages.itemEndExpected() : messages.memberEndExpected());
  }

  private close(container: Open<JsonObject> | Open<JsonArray>): JsonNode {
    this.offset += 1;
    container.end = this.offset;
    return container;
  }

  private key(container: JsonObject): void {
    this.skipSpace();
    const start = this.offset;
    if (this.text.charCodeAt(start) !== 0x22) this.fail(messages.nameExpected());
    const key = this.string();
    const end = this.offset;
    if (this.seen(container, key)) this.note('duplicate-key', messages.duplicateName(), start, end);
    if (key.length > maxName) {
      this.note('long-key', messages.longName({ n: maxName }), start, end);
    }
    if (forbiddenNames.has(key)) this.note('forbidden-key', messages.forbiddenName(), start, end);
    this.skipSpace();
    if (this.text.charCodeAt(this.offset) !== 0x3a) this.fail(messages.colonExpected());
    this.offset += 1;
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
    const isKnown = frame.keys.has(key);
    frame.keys.add(key);
    return isKnown;
  }

  /** Reads the string at the current offset and moves behind it. */
  private string(): string {
    const { text } = this;
    const start = this.offset;
    let end = start + 1;
    let char = text.charCodeAt(end);
    while (char >= 0x20 && char !== 0x22 && char !== 0x5c) {
      end += 1;
      char = text.charCodeAt(end);
    }
    if (char === 0x22 && this.wellFormed) {
      this.offset = end + 1;
      return text.slice(start + 1, end);
    }
    const result = scanString(text, start);
    if ('text' in result) this.fail(result);
    this.offset = result.end;
    if (!result.value.isWellFormed()) {
      this.note('lone-surrogate', messages.loneSurrogate(), start, result.end);
    }
    return result.value;
  }

  private literal(word: string, node: JsonNode): JsonNode {
    if (!this.text.startsWith(word, this.offset)) this.fail(messages.valueExpected());
    this.offset += word.length;
    return node;
  }

  private skipSpace(): void {
    for (;;) {
      const char = this.text.charCodeAt(this.offset);
      if (char !== 0x20 && char !== 0x0a && char !== 0x0d && char !== 0x09) return;
      this.offset += 1;
    }
  }

  private note(kind: JsonProblemCode, message: Message, start: number, end: number): void {
    if (this.faults.length < maxFaults) {
      this.faults.push({ kind, ...message, start, end, path: this.path() });
    }
  }

  private fail(message: Message): never {
    this.stop('syntax', describeForeignSyntax(this.text, this.offset) ?? message, this.offset);
  }

  private stop(kind: JsonProblemCode, message: Message, offset: number): never {
    throw new JsonSyntaxError({ kind, ...message, start: offset, end: offset + 1, path: this.path() });
  }

  /** Returns the reference tokens of the innermost open container. */
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
  const lastEntry = container.members.at(-1);
  if (!lastEntry) throw new TypeError('The object has no open member');
  return lastEntry;
}
