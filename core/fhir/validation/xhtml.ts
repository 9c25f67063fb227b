import { xhtmlEntities } from './xhtml-entities.ts';
import { Namespaces } from './xml-namespaces.ts';
import { isAllowedAttribute, narrativeElements } from './xhtml-names.ts';

/** What stands in a narrative's `div`; `fault` and `at` (UTF-16 offset) tell the first thing that may not. */
export interface Markup {
  readonly fault?: string;
  readonly at?: number;
  /** True if XML allows it: what is read after the first fault against XML means nothing. */
  readonly isWellFormed: boolean;
  /** Whether it shows any text or image. */
  readonly hasContent: boolean;
  readonly hasNamespace: boolean;
  /** What its links and images name within the record: `#id`. */
  readonly fragments: ReadonlySet<string>;
}

/** Receives the elements and texts of a narrative in document order, with entities and prefixes resolved. */
export interface MarkupHandler {
  /** `element` is the local name; `isXhtml` is false for an element of another namespace. */
  start(element: string, attributes: ReadonlyMap<string, string>, isXhtml: boolean): void;
  end(): void;
  text(text: string): void;
  /** Returns the character that an entity of XHTML names. */
  entity(name: string): string;
}

const name = /[A-Za-z_:\u0080-\uffff][\w:.\-\u0080-\uffff]*/y;
const attribute = /\s+([A-Za-z_:\u0080-\uffff][\w:.\-\u0080-\uffff]*)\s*=\s*("[^"<]*"|'[^'<]*')/y;
const tagEnd = /\s*(\/?)>/y;
/** A character by number, or the name of one: the longest is `thetasym`. */
const entity = /&(?:#[0-9]+|#x[0-9A-Fa-f]+|([A-Za-z][A-Za-z0-9]{0,7}));/y;
const blank = /[ \t\r\n]+|&#(?:9|10|13|32|x9|xA|xD|x20);/gi;
const active = /^\s*(?:javascript|vbscript):/i;
const namespace = 'http://www.w3.org/1999/xhtml';
/** XML 1.0 section 2.2: neither control characters nor half of a surrogate pair. */
// oxlint-disable-next-line no-control-regex -- these are what it looks for
const badCharacter = /[\0-\x08\v\f\x0e-\x1f\ufffe\uffff\ud800-\udfff]/u;
const references = /&(?:#x([0-9A-Fa-f]+)|#([0-9]+)|(\w+));/g;
/** What a run that shows nothing and follows no grammar of ours ends with, by how it starts. */
const skipped = [
  ['<!--', '-->'],
  ['<?', '?>'],
] as const;

class Fault extends Error {
  readonly at: number;
  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}

/**
 * Reads an XHTML fragment (FHIR R4 narrative.html) without recursion, in time linear to its length. What FHIR forbids
 * is passed to `handler` as well; reading ends where XML does not allow what stands there.
 */
export function readMarkup(text: string, handler?: MarkupHandler): Markup {
  const reader = new Reader(text, handler);
  let isWellFormed = true;
  try {
    reader.read();
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    isWellFormed = false;
    reader.fault ??= error;
  }
  const { fault, hasContent, hasNamespace, fragments } = reader;
  const found = { isWellFormed, hasContent, hasNamespace, fragments };
  return fault ? { fault: fault.message, at: fault.at, ...found } : found;
}

/** The walk and three rules ask for the same narrative, one after the other. */
let last: { readonly div: string; readonly markup: Markup } | undefined;

/** Returns the same as {@link readMarkup}, without reading the narrative of the call before anew. */
export function markupOf(div: string): Markup {
  if (last?.div !== div) last = { div, markup: readMarkup(div) };
  return last.markup;
}

class Reader {
  hasContent = false;
  hasNamespace = false;
  readonly fragments = new Set<string>();
  fault: Fault | undefined;
  private readonly text: string;
  private readonly handler: MarkupHandler | undefined;
  /** The open elements as their tags name them. */
  private readonly open: string[] = [];
  private readonly namespaces = new Namespaces();
  private rootNamespace = '';
  private rooted = false;
  private at = 0;

  constructor(text: string, handler: MarkupHandler | undefined) {
    this.text = text;
    this.handler = handler;
  }

  read(): void {
    while (this.at < this.text.length) {
      if (this.text.charCodeAt(this.at) === 0x3c) this.markup();
      else this.characters(this.indexOf('<', this.text.length));
    }
    if (this.open.length > 0) this.fail('an element is not closed');
    if (!this.rooted) this.fail('a single div is expected');
    const at = this.text.search(badCharacter);
    if (at >= 0) this.fail('a character is not allowed', at);
  }

  private markup(): void {
    const { text, at } = this;
    const skip = skipped.find(([start]) => text.startsWith(start, at));
    if (skip) this.moveBehind(skip[1], skip[0].length);
    else if (text.startsWith('<![CDATA[', at)) {
      this.moveBehind(']]>', '<![CDATA['.length);
      const section = text.slice(at + 9, this.at - 3);
      this.content(section);
      this.handler?.text(withLineFeeds(section));
    } else if (text.startsWith('</', at)) this.close();
    else if (text.startsWith('<!', at)) this.fail('a declaration is not allowed');
    else this.start();
  }

  private start(): void {
    const start = this.at;
    this.at += 1;
    const qualified = this.match(name)?.[0] ?? this.fail('a tag is malformed');
    const element = localName(qualified);
    const { fault } = this;
    const attributes = this.attributes();
    const end = this.match(tagEnd) ?? this.fail('a tag is malformed');
    this.namespaces.enter(attributes);
    const own = this.namespaces.get(prefixOf(qualified));
    if (own === undefined && qualified !== element) this.fail('a prefix is not declared', start);
    const isXhtml = this.isXhtml(own ?? '');
    if (this.open.length === 0 && this.rooted) this.fail('a single div is expected', start);
    // The element stands before its attributes.
    if (!fault) {
      if (!this.rooted && element !== 'div') this.fault = new Fault('a single div is expected', start);
      else if (!isXhtml || !narrativeElements.has(element))
        this.fault = new Fault('an element is not allowed', start);
    }
    this.rooted = true;
    if (element === 'img' && attributes.has('src')) this.hasContent = true;
    if (this.handler) this.handler.start(element, this.decoded(attributes), isXhtml);
    if (end[1] === '') this.open.push(qualified);
    else this.end();
  }

  /** True if an element of a namespace is one of XHTML; where the outer one is of none, so are those within. */
  private isXhtml(own: string): boolean {
    if (!this.rooted) {
      this.rootNamespace = own;
      this.hasNamespace = own === namespace;
    }
    return own === namespace || own === this.rootNamespace;
  }

  private decoded(attributes: Map<string, string>): Map<string, string> {
    return new Map([...attributes].map(([key, value]) => [key, this.decode(value.replace(/\s/g, ' '))]));
  }

  private attributes(): Map<string, string> {
    const found = new Map<string, string>();
    for (let match = this.match(attribute); match; match = this.match(attribute)) {
      const [whole, key = '', quoted = ''] = match;
      const start = this.at - whole.length;
      const value = quoted.slice(1, -1);
      if (found.has(key)) this.fail('an attribute stands twice', start);
      if (!isAllowedAttribute(key)) this.fault ??= new Fault('an attribute is not allowed', start);
      else if (active.test(value)) this.fault ??= new Fault('a link to a script is not allowed', start);
      this.entities(value, this.at - quoted.length + 1);
      found.set(key, value);
      if ((key === 'href' || key === 'src') && value.startsWith('#')) this.fragments.add(value);
    }
    return found;
  }

  private close(): void {
    const start = this.at;
    this.at += 2;
    const qualified = this.match(name)?.[0] ?? this.fail('a tag is malformed');
    if (this.match(tagEnd)?.[1] !== '') this.fail('a tag is malformed', start);
    if (this.open.pop() !== qualified) this.fail('an end tag has no start tag', start);
    this.end();
  }

  private end(): void {
    this.namespaces.leave();
    this.handler?.end();
  }

  private characters(end: number): void {
    const run = this.text.slice(this.at, end);
    const misplaced = run.indexOf(']]>');
    if (misplaced >= 0) this.fail('a section ends that has no start', this.at + misplaced);
    this.entities(run, this.at);
    this.content(run);
    this.at = end;
    if (this.handler && this.open.length > 0) this.handler.text(this.decode(withLineFeeds(run)));
  }

  private decode(run: string): string {
    return run.replace(references, (_, hex?: string, decimal?: string, named?: string) =>
      named === undefined ? characterOf(hex, decimal) : (this.handler?.entity(named) ?? ''),
    );
  }

  private content(run: string): void {
    if (this.hasContent && this.open.length > 0) return;
    if (run.replace(blank, '') === '') return;
    if (this.open.length === 0) this.fail('text stands outside the div');
    this.hasContent = true;
  }

  private entities(run: string, offset: number): void {
    for (let at = run.indexOf('&'); at >= 0; at = run.indexOf('&', at + 1)) {
      entity.lastIndex = at;
      const match = entity.exec(run);
      if (!match || (match[1] !== undefined && !xhtmlEntities.has(match[1])))
        this.fail('an ampersand starts no entity', offset + at);
      if (match[1] === undefined && !isCharacter(match[0]))
        this.fail('a character is not allowed', offset + at);
    }
  }

  private match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.text);
    if (match) this.at = pattern.lastIndex;
    return match;
  }

  /** Moves behind `end`, which does not overlap with the start of `startLength` characters. */
  private moveBehind(end: string, startLength: number): void {
    const found = this.text.indexOf(end, this.at + startLength);
    if (found < 0) this.fail('a comment or section is not closed');
    this.at = found + end.length;
  }

  private indexOf(text: string, otherwise: number): number {
    const found = this.text.indexOf(text, this.at);
    return found < 0 ? otherwise : found;
  }

  private fail(message: string, at: number = this.at): never {
    throw new Fault(message, at);
  }
}

function localName(qualified: string): string {
  return qualified.slice(qualified.indexOf(':') + 1);
}

function prefixOf(qualified: string): string {
  return qualified.slice(0, Math.max(0, qualified.indexOf(':')));
}

/** XML 1.0 section 2.11. */
function withLineFeeds(run: string): string {
  return run.replace(/\r\n?/g, '\n');
}

/** True if a reference by number, as `&#60;`, means a character that XML allows. */
function isCharacter(reference: string): boolean {
  const digits = reference.slice(2, -1);
  const code = digits.startsWith('x') ? Number.parseInt(digits.slice(1), 16) : Number(digits);
  return code <= 0x10_ff_ff && !badCharacter.test(String.fromCodePoint(code));
}

function characterOf(hex: string | undefined, decimal: string | undefined): string {
  return String.fromCodePoint(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16));
}
