import { xhtmlEntities } from './xhtml-entities.ts';
import { isAllowedAttribute, narrativeElements } from './xhtml-names.ts';

/** What stands in a narrative's `div`; `fault` and `at` (UTF-16 offset) tell the first thing that may not. */
export interface Markup {
  readonly fault?: string;
  readonly at?: number;
  /** Whether it shows any text or image. */
  readonly hasContent: boolean;
  readonly hasNamespace: boolean;
  /** What its links and images name within the record: `#id`. */
  readonly fragments: ReadonlySet<string>;
}

const name = /[A-Za-z_:\u0080-\uffff][\w:.\-\u0080-\uffff]*/y;
const attribute = /\s+([A-Za-z_:\u0080-\uffff][\w:.\-\u0080-\uffff]*)\s*=\s*("[^"<]*"|'[^'<]*')/y;
const tagEnd = /\s*(\/?)>/y;
/** A character by number, or the name of one: the longest is `thetasym`. */
const entity = /&(?:#[0-9]+|#x[0-9A-Fa-f]+|([A-Za-z][A-Za-z0-9]{0,7}));/y;
const blank = /[ \t\r\n]+|&#(?:9|10|13|32|x9|xA|xD|x20);/gi;
const active = /^\s*(?:javascript|vbscript):/i;
const namespace = 'http://www.w3.org/1999/xhtml';
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

/** Reads an XHTML fragment (FHIR R4 narrative.html) without recursion, in time linear to its length. */
export function readMarkup(text: string): Markup {
  const reader = new Reader(text);
  try {
    reader.read();
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { fault: error.message, at: error.at, ...shownBy(reader) };
  }
  return shownBy(reader);
}

function shownBy({ hasContent, hasNamespace, fragments }: Reader): Markup {
  return { hasContent, hasNamespace, fragments };
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
  private readonly text: string;
  private readonly open: string[] = [];
  private rooted = false;
  private at = 0;

  constructor(text: string) {
    this.text = text;
  }

  read(): void {
    while (this.at < this.text.length) {
      if (this.text.charCodeAt(this.at) === 0x3c) this.markup();
      else this.characters(this.indexOf('<', this.text.length));
    }
    if (this.open.length > 0) this.fail('an element is not closed');
    if (!this.rooted) this.fail('a single div is expected');
  }

  private markup(): void {
    const { text, at } = this;
    const skip = skipped.find(([start]) => text.startsWith(start, at));
    if (skip) this.moveBehind(skip[1]);
    else if (text.startsWith('<![CDATA[', at)) {
      this.moveBehind(']]>');
      this.content(text.slice(at + 9, this.at - 3));
    } else if (text.startsWith('</', at)) this.close();
    else if (text.startsWith('<!', at)) this.fail('a declaration is not allowed');
    else this.start();
  }

  private start(): void {
    const start = this.at;
    this.at += 1;
    const element = localName(this.match(name)?.[0] ?? this.fail('a tag is malformed'));
    if (this.open.length === 0 && (this.rooted || element !== 'div'))
      this.fail('a single div is expected', start);
    if (!narrativeElements.has(element)) this.fail('an element is not allowed', start);
    const attributes = this.attributes();
    if (!this.rooted) this.hasNamespace = [...attributes].some(([key, value]) => isNamespace(key, value));
    this.rooted = true;
    if (element === 'img' && attributes.has('src')) this.hasContent = true;
    const end = this.match(tagEnd) ?? this.fail('a tag is malformed');
    if (end[1] === '') this.open.push(element);
  }

  private attributes(): Map<string, string> {
    const found = new Map<string, string>();
    for (let match = this.match(attribute); match; match = this.match(attribute)) {
      const [whole, key = '', quoted = ''] = match;
      const start = this.at - whole.length;
      const value = quoted.slice(1, -1);
      if (found.has(key)) this.fail('an attribute stands twice', start);
      if (!isAllowedAttribute(key)) this.fail('an attribute is not allowed', start);
      if (active.test(value)) this.fail('a link to a script is not allowed', start);
      this.entities(value, this.at - quoted.length + 1);
      found.set(key, value);
      if ((key === 'href' || key === 'src') && value.startsWith('#')) this.fragments.add(value);
    }
    return found;
  }

  private close(): void {
    const start = this.at;
    this.at += 2;
    const element = localName(this.match(name)?.[0] ?? this.fail('a tag is malformed'));
    if (this.match(tagEnd)?.[1] !== '') this.fail('a tag is malformed', start);
    if (this.open.pop() !== element) this.fail('an end tag has no start tag', start);
  }

  private characters(end: number): void {
    const run = this.text.slice(this.at, end);
    this.entities(run, this.at);
    this.content(run);
    this.at = end;
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
    }
  }

  private match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.text);
    if (match) this.at = pattern.lastIndex;
    return match;
  }

  private moveBehind(end: string): void {
    const found = this.indexOf(end, -1);
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

function isNamespace(key: string, value: string): boolean {
  return (key === 'xmlns' || key.startsWith('xmlns:')) && value === namespace;
}
