import { SaxesParser, type SaxesTagNS } from 'saxes';
import { maxDepth } from '../json/scan.ts';
import { defineMessages, type Message } from '../text/message.ts';

/** Namespace of the elements of FHIR (R4 xml.html). */
const fhirNamespace = 'http://hl7.org/fhir';
/** Namespace of narratives. */
const xhtmlNamespace = 'http://www.w3.org/1999/xhtml';
/** Namespaces of attributes that say nothing about the resource: declarations and schema locations. */
const ignoredNamespaces: ReadonlySet<string> = new Set([
  'http://www.w3.org/2000/xmlns/',
  'http://www.w3.org/2001/XMLSchema-instance',
]);

const messages = defineMessages('xml', {
  malformed: 'The XML is not well-formed at line {line}, column {column}.',
  doctype: 'The XML has a document type declaration at line {line}. FHIR does not allow it.',
  otherNamespace:
    'The XML element {name} at line {line} is not in the namespace of FHIR, http://hl7.org/fhir.',
  text: 'The XML contains text between elements at line {line}. FHIR keeps values in attributes.',
  tooDeep: 'The XML is nested in more than {max} levels at line {line}.',
  tooLarge: 'The XML contains an element larger than {megabytes} MB at line {line}.',
});

/** Element of FHIR in XML. */
export interface XmlElement {
  readonly name: string;
  /** Attributes except for declarations of namespaces and locations of schemas. */
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: XmlElement[];
  /** Source text of a narrative, from `<div` to `</div>`; absent for other elements. */
  readonly markup?: string;
}

/** Thrown for XML that is not FHIR. The message quotes no value. */
export class XmlError extends Error {
  override readonly name = 'XmlError';
  readonly fault: Message;

  constructor(fault: Message) {
    super(fault.text);
    this.fault = fault;
  }
}

/** Narrative that is being read. */
interface OpenNarrative {
  /** Offset of its first character. */
  readonly start: number;
  /** Depth of its elements that are not closed. */
  depth: number;
  /** Insertions and deletions that make the text independent of declarations outside of it. */
  readonly edits: { readonly start: number; readonly end: number; readonly text: string }[];
}

/**
 * Reads XML in chunks. Elements at the second level are handed over as they end and are not kept, so that a
 * Bundle of any size can be read. Entities other than those of XML are not known, and none is fetched.
 */
export class XmlElementReader {
  private readonly parser = new SaxesParser({ xmlns: true, position: true });
  private readonly maxElementLength: number;
  private readonly openElements: XmlElement[] = [];
  /** Source text from `sourceStart` on: the current tag, or the narrative. */
  private source = '';
  private sourceStart = 0;
  private tagStart = 0;
  private tagEnd = 0;
  private elementStart = 0;
  private narrative: OpenNarrative | undefined;
  private completeChildren: XmlElement[] = [];
  /** The outermost element with those children that were not handed over; undefined before its start tag. */
  root: XmlElement | undefined;

  /**
   * Creates a reader.
   *
   * @param maxElementLength - Maximum length of an element at the second level, in UTF-16 units.
   */
  constructor(maxElementLength: number) {
    this.maxElementLength = maxElementLength;
    const { parser } = this;
    parser.on('error', () => {
      throw new XmlError(messages.malformed({ line: parser.line, column: parser.column }));
    });
    parser.on('doctype', () => {
      throw new XmlError(messages.doctype({ line: parser.line }));
    });
    parser.on('opentagstart', () => {
      this.tagStart = this.findBack('<');
    });
    parser.on('opentag', (tag) => this.openTag(tag));
    parser.on('closetag', (tag) => this.closeTag(tag));
    parser.on('text', (text) => this.checkText(text));
    parser.on('cdata', (text) => this.checkText(text));
    parser.on('comment', () => {
      this.tagEnd = parser.position;
    });
  }

  /**
   * Reads a chunk and returns the elements at the second level that end in it.
   *
   * @throws {XmlError} if the XML is malformed, declares a document type or is not FHIR.
   */
  feed(chunk: string): readonly XmlElement[] {
    this.source += chunk;
    this.parser.write(chunk);
    this.checkLength();
    const keptFrom = this.narrative?.start ?? this.tagEnd;
    this.source = this.source.slice(keptFrom - this.sourceStart);
    this.sourceStart = keptFrom;
    return this.takeChildren();
  }

  /**
   * Ends the text.
   *
   * @throws {XmlError} if an element is not closed or there is none.
   */
  end(): readonly XmlElement[] {
    this.parser.close();
    return this.takeChildren();
  }

  private takeChildren(): readonly XmlElement[] {
    const children = this.completeChildren;
    this.completeChildren = [];
    return children;
  }

  /** Returns the offset of the last such character before the position of the parser. */
  private findBack(char: string): number {
    return this.source.lastIndexOf(char, this.parser.position - 1 - this.sourceStart) + this.sourceStart;
  }

  private openTag(tag: SaxesTagNS): void {
    this.tagEnd = this.parser.position;
    if (this.narrative) {
      this.openMarkup(tag, this.narrative);
      return;
    }
    const { line } = this.parser;
    if (this.openElements.length >= maxDepth) throw new XmlError(messages.tooDeep({ max: maxDepth, line }));
    if (tag.uri === xhtmlNamespace && tag.local === 'div' && this.openElements.length > 0) {
      this.narrative = { start: this.tagStart, depth: 0, edits: [] };
      this.openMarkup(tag, this.narrative);
      return;
    }
    if (tag.uri !== fhirNamespace) throw new XmlError(messages.otherNamespace({ name: tag.name, line }));
    const attributes = Object.values(tag.attributes)
      .filter(({ uri }) => !ignoredNamespaces.has(uri))
      .map(({ name, value }) => [name, value] as const);
    const element: XmlElement = { name: tag.local, attributes: new Map(attributes), children: [] };
    if (this.openElements.length === 1) this.elementStart = this.tagStart;
    this.openElements.push(element);
    this.root ??= element;
  }

  private openMarkup(tag: SaxesTagNS, narrative: OpenNarrative): void {
    narrative.depth += 1;
    const nameStart = this.tagStart + 1;
    const prefixEnd = nameStart + (tag.prefix === '' ? 0 : tag.prefix.length + 1);
    const isOutermost = narrative.depth === 1;
    if (prefixEnd > nameStart) narrative.edits.push({ start: nameStart, end: prefixEnd, text: '' });
    if (isOutermost && tag.attributes.xmlns === undefined) {
      const nameEnd = prefixEnd + tag.local.length;
      narrative.edits.push({ start: nameEnd, end: nameEnd, text: ` xmlns="${xhtmlNamespace}"` });
    }
  }

  private closeTag(tag: SaxesTagNS): void {
    this.tagEnd = this.parser.position;
    if (this.narrative) {
      this.closeMarkup(tag, this.narrative);
      return;
    }
    const element = this.openElements.pop();
    if (element === undefined || this.openElements.length === 0) return;
    this.checkLength();
    if (this.openElements.length === 1) this.completeChildren.push(element);
    else this.openElements.at(-1)?.children.push(element);
  }

  private closeMarkup(tag: SaxesTagNS, narrative: OpenNarrative): void {
    if (!tag.isSelfClosing && tag.prefix !== '') {
      const nameStart = this.findBack('<') + 2;
      narrative.edits.push({ start: nameStart, end: nameStart + tag.prefix.length + 1, text: '' });
    }
    narrative.depth -= 1;
    if (narrative.depth > 0) return;
    this.narrative = undefined;
    const parts: string[] = [];
    let position = narrative.start;
    const cut = (end: number) => this.source.slice(position - this.sourceStart, end - this.sourceStart);
    for (const { start, end, text } of narrative.edits) {
      parts.push(cut(start), text);
      position = end;
    }
    parts.push(cut(this.parser.position));
    this.openElements
      .at(-1)
      ?.children.push({ name: 'div', attributes: new Map(), children: [], markup: parts.join('') });
  }

  private checkText(text: string): void {
    if (this.narrative || text.trim() === '') return;
    throw new XmlError(messages.text({ line: this.parser.line }));
  }

  private checkLength(): void {
    const start = this.openElements.length > 1 ? this.elementStart : this.tagEnd;
    if (this.parser.position - start <= this.maxElementLength) return;
    const megabytes = this.maxElementLength / 1024 / 1024;
    throw new XmlError(messages.tooLarge({ megabytes, line: this.parser.line }));
  }
}
