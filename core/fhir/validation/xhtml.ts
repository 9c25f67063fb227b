import { xhtmlEntities } from './xhtml-entities.ts';
import { isAllowedAttribute, narrativeElements } from './xhtml-names.ts';

const noPrefix: readonly string[] = [];

/** Tracks the namespaces in scope by prefix, including the empty prefix. Each step takes constant time. */
class Namespaces {
  private readonly byPrefix = new Map<string, string[]>();
  /** Prefixes that each open element declares. */
  private readonly declared: (readonly string[])[] = [];

  get(prefix: string): string | undefined {
    return this.byPrefix.get(prefix)?.at(-1);
  }

  enter(attributes: ReadonlyMap<string, string>): void {
    const prefixes: string[] = [];
    for (const [key, value] of attributes) {
      if (key !== 'xmlns' && !key.startsWith('xmlns:')) continue;
      const prefix = key.slice('xmlns:'.length);
      const values = this.byPrefix.get(prefix);
      if (values) values.push(value);
      else this.byPrefix.set(prefix, [value]);
      prefixes.push(prefix);
    }
    this.declared.push(prefixes.length > 0 ? prefixes : noPrefix);
  }

  leave(): void {
    for (const prefix of this.declared.pop() ?? noPrefix) this.byPrefix.get(prefix)?.pop();
  }
}

/** Result of reading a narrative's `div`. `fault` and `at` (UTF-16 offset) report the first forbidden item. */
export interface Markup {
  readonly fault?: string;
  readonly offset?: number;
  /** True if the text is well-formed XML. After the first XML error, the other results are incomplete. */
  readonly isWellFormed: boolean;
  /** True if the narrative shows any text or image. */
  readonly hasContent: boolean;
  readonly hasNamespace: boolean;
  /** Fragments (`#id`) in links and images. */
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
/** A character reference by number or by name. The longest name is `thetasym`. */
const entity = /&(?:#[0-9]+|#x[0-9A-Fa-f]+|([A-Za-z][A-Za-z0-9]{0,7}));/y;
const blankPattern = /[ \t\r\n]+|&#(?:9|10|13|32|x9|xA|xD|x20);/gi;
const scriptPattern = /^\s*(?:javascript|vbscript):/i;
const namespace = 'http://www.w3.org/1999/xhtml';
/** XML 1.0 section 2.2: neither control characters nor half of a surrogate pair. */
// oxlint-disable-next-line no-control-regex -- these are what it looks for
const badCharacter = /[\0-\x08\v\f\x0e-\x1f\ufffe\uffff\ud800-\udfff]/u;
const referencePattern = /&(?:#x([0-9A-Fa-f]+)|#([0-9]+)|(\w+));/g;
/** Start and end of comments and processing instructions. Their content is ignored. */
const skippedRuns = [
  ['<!--', '-->'],
  ['<?', '?>'],
] as const;

class Fault extends Error {
  readonly offset: number;
  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

/**
 * Reads an XHTML fragment without recursion, in linear time (FHIR R4 narrative.html).
 *
 * Passes content that FHIR forbids to `handler` as well. Stops at the first XML error.
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
  const result = { isWellFormed, hasContent, hasNamespace, fragments };
  return fault ? { fault: fault.message, offset: fault.offset, ...result } : result;
}

/** Caches the last narrative, because the walk and three rules read it in turn. */
let lastResult: { readonly div: string; readonly markup: Markup } | undefined;

/** Returns the result of {@link readMarkup}, cached for the last narrative. */
export function markupOf(div: string): Markup {
  if (lastResult?.div !== div) lastResult = { div, markup: readMarkup(div) };
  return lastResult.markup;
}

class Reader {
  hasContent = false;
  hasNamespace = false;
  readonly fragments = new Set<string>();
  fault: Fault | undefined;
  private readonly text: string;
  private readonly handler: MarkupHandler | undefined;
  /** Qualified names of the open elements. */
  private readonly open: string[] = [];
  private readonly namespaces = new Namespaces();
  private rootNamespace = '';
  private rooted = false;
  private offset = 0;

  constructor(text: string, handler: MarkupHandler | undefined) {
    this.text = text;
    this.handler = handler;
  }

  read(): void {
    while (this.offset < this.text.length) {
      if (this.text.charCodeAt(this.offset) === 0x3c) this.markup();
      else this.characters(this.indexOf('<', this.text.length));
    }
    if (this.open.length > 0) this.fail('an element is not closed');
    if (!this.rooted) this.fail('a single div is expected');
    const badOffset = this.text.search(badCharacter);
    if (badOffset >= 0) this.fail('a character is not allowed', badOffset);
  }

  private markup(): void {
    const { text, offset: markupStart } = this;
    const skip = skippedRuns.find(([start]) => text.startsWith(start, markupStart));
    if (skip) this.moveBehind(skip[1], skip[0].length);
    else if (text.startsWith('<![CDATA[', markupStart)) {
      this.moveBehind(']]>', '<![CDATA['.length);
      const section = text.slice(markupStart + 9, this.offset - 3);
      this.content(section);
      this.handler?.text(withLineFeeds(section));
    } else if (text.startsWith('</', markupStart)) this.close();
    else if (text.startsWith('<!', markupStart)) this.fail('a declaration is not allowed');
    else this.start();
  }

  private start(): void {
    const start = this.offset;
    this.offset += 1;
    const qualified = this.match(name)?.[0] ?? this.fail('a tag is malformed');
    const element = localName(qualified);
    const { fault } = this;
    const attributes = this.attributes();
    const end = this.match(tagEnd) ?? this.fail('a tag is malformed');
    this.namespaces.enter(attributes);
    const elementNamespace = this.namespaces.get(prefixOf(qualified));
    if (elementNamespace === undefined && qualified !== element) this.fail('a prefix is not declared', start);
    const isXhtml = this.isXhtml(elementNamespace ?? '');
    if (this.open.length === 0 && this.rooted) this.fail('a single div is expected', start);
    // The element precedes its attributes.
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

  /** Returns true if a namespace is XHTML's. If the root has no namespace, its descendants need none. */
  private isXhtml(elementNamespace: string): boolean {
    if (!this.rooted) {
      this.rootNamespace = elementNamespace;
      this.hasNamespace = elementNamespace === namespace;
    }
    return elementNamespace === namespace || elementNamespace === this.rootNamespace;
  }

  private decoded(attributes: Map<string, string>): Map<string, string> {
    return new Map([...attributes].map(([key, value]) => [key, this.decode(value.replace(/\s/g, ' '))]));
  }

  private attributes(): Map<string, string> {
    const attributes = new Map<string, string>();
    for (let match = this.match(attribute); match; match = this.match(attribute)) {
      const [fullMatch, key = '', quoted = ''] = match;
      const start = this.offset - fullMatch.length;
      const value = quoted.slice(1, -1);
      if (attributes.has(key)) this.fail('duplicate attribute', start);
      if (!isAllowedAttribute(key)) this.fault ??= new Fault('an attribute is not allowed', start);
      else if (scriptPattern.test(value))
        this.fault ??= new Fault('a link to a script is not allowed', start);
      this.entities(value, this.offset - quoted.length + 1);
      attributes.set(key, value);
      if ((key === 'href' || key === 'src') && value.startsWith('#')) this.fragments.add(value);
    }
    return attributes;
  }

  private close(): void {
    const start = this.offset;
    this.offset += 2;
    const qualified = this.match(name)?.[0] ?? this.fail('a tag is malformed');
    if (this.match(tagEnd)?.[1] !== '') this.fail('a tag is malformed', start);
    if (this.open.pop() !== qualified) this.fail('end tag without a start tag', start);
    this.end();
  }

  private end(): void {
    this.namespaces.leave();
    this.handler?.end();
  }

  private characters(end: number): void {
    const run = this.text.slice(this.offset, end);
    const misplaced = run.indexOf(']]>');
    if (misplaced >= 0) this.fail('a section ends that has no start', this.offset + misplaced);
    this.entities(run, this.offset);
    this.content(run);
    this.offset = end;
    if (this.handler && this.open.length > 0) this.handler.text(this.decode(withLineFeeds(run)));
  }

  private decode(run: string): string {
    return run.replace(referencePattern, (_, hex?: string, decimal?: string, entityName?: string) =>
      entityName === undefined ? characterOf(hex, decimal) : (this.handler?.entity(entityName) ?? ''),
    );
  }

  private content(run: string): void {
    if (this.hasContent && this.open.length > 0) return;
    if (run.replace(blankPattern, '') === '') return;
    if (this.open.length === 0) this.fail('text outside the div');
    this.hasContent = true;
  }

  private entities(run: string, offset: number): void {
    for (let index = run.indexOf('&'); index >= 0; index = run.indexOf('&', index + 1)) {
      entity.lastIndex = index;
      const match = entity.exec(run);
      if (!match || (match[1] !== undefined && !xhtmlEntities.has(match[1])))
        this.fail('invalid entity', offset + index);
      if (match[1] === undefined && !isCharacter(match[0]))
        this.fail('a character is not allowed', offset + index);
    }
  }

  private match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.offset;
    const match = pattern.exec(this.text);
    if (match) this.offset = pattern.lastIndex;
    return match;
  }

  /** Moves past `end`. It must not overlap the start of `startLength` characters. */
  private moveBehind(end: string, startLength: number): void {
    const endOffset = this.text.indexOf(end, this.offset + startLength);
    if (endOffset < 0) this.fail('a comment or section is not closed');
    this.offset = endOffset + end.length;
  }

  private indexOf(text: string, otherwise: number): number {
    const matchOffset = this.text.indexOf(text, this.offset);
    return matchOffset < 0 ? otherwise : matchOffset;
  }

  private fail(message: string, offset: number = this.offset): never {
    throw new Fault(message, offset);
  }
}

function localName(qualified: string): string {
  return qualified.slice(qualified.indexOf(':') + 1);
}

function prefixOf(qualified: string): string {
  return qualified.slice(0, Math.max(0, qualified.indexOf(':')));
}

/** Normalizes line ends (XML 1.0 section 2.11). */
function withLineFeeds(run: string): string {
  return run.replace(/\r\n?/g, '\n');
}

/** Returns true if a numeric reference such as `&#60;` is a character that XML allows. */
function isCharacter(reference: string): boolean {
  const digits = reference.slice(2, -1);
  const code = digits.startsWith('x') ? Number.parseInt(digits.slice(1), 16) : Number(digits);
  return code <= 0x10_ff_ff && !badCharacter.test(String.fromCodePoint(code));
}

function characterOf(hex: string | undefined, decimal: string | undefined): string {
  return String.fromCodePoint(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16));
}
