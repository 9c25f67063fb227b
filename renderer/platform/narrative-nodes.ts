/**
 * Builds the nodes of a narrative as XHTML means them: a section is text, an empty element is empty, a prefix is
 * resolved. HTML would read the same text differently. The nodes are foreign until safe-markup.ts has sanitized them.
 */
import { expandSections } from '../../core/fhir/escape-markup.ts';
import { readMarkup } from '../../core/fhir/validation/xhtml.ts';
import { narrativeAttributes, narrativeElements } from '../../core/fhir/validation/xhtml-names.ts';
import { readLooseMarkup, type LooseHandler } from './loose-markup.ts';

export interface BuiltNarrative {
  readonly nodes: HTMLElement;
  /** Every text that the narrative has for a reader, in its order. */
  readonly text: string;
  /** True if each element and image is shown as what it is, up to the end. */
  readonly isComplete: boolean;
  readonly isWellFormed: boolean;
}

/** A browser draws what is nested deeper by recursion; HTML's own parser stops there, too. */
const deepest = 500;
/** A page that drew more of a narrative would stand still meanwhile; the rest is read in the record's JSON. */
export const shownLimits = { nodes: 50_000, characters: 1_000_000 } as const;
/** Stands where a narrative is cut. */
const cutMark = '…';
/** Their text is no text to a reader. */
const code = new Set(['script', 'style']);
const empty = new Set(['br', 'col', 'hr', 'img']);
const raster = /^data:image\/(?:png|jpeg|gif|webp);/i;

/** True if the address of an image lies within the narrative, so that nothing is loaded to show it. */
export function isInlineImage(address: string): boolean {
  return raster.test(address);
}

/** Builds the nodes of a narrative, up to {@link shownLimits}; of one that is not well-formed XML what can be told. */
export function buildNarrative(xhtml: string): BuiltNarrative {
  let builder = new Builder();
  const { isWellFormed } = readMarkup(xhtml, builder);
  if (!isWellFormed) {
    builder = new Builder();
    readLooseMarkup(expandSections(xhtml), builder);
  }
  const { root, written, isComplete } = builder;
  return { nodes: root, text: written.join(''), isComplete, isWellFormed };
}

/** The characters of the entities that were read. */
const entities = new Map<string, string>();

class Builder implements LooseHandler {
  /** A document of its own: nothing in it runs, and nothing is loaded. */
  private readonly document = document.implementation.createHTMLDocument();
  readonly root = this.document.createElement('div');
  readonly written: string[] = [];
  isComplete = true;
  /** Where the content of each open element goes. */
  private readonly open: HTMLElement[] = [this.root];
  /** How many elements are open within code, its own included. */
  private codeDepth = 0;
  /** The nodes and characters that may still be shown. */
  private nodes: number = shownLimits.nodes;
  private characters: number = shownLimits.characters;
  isFull = false;

  private get around(): HTMLElement {
    return this.open.at(-1) ?? this.root;
  }

  start(element: string, attributes: ReadonlyMap<string, string>, isXhtml: boolean): void {
    const isAllowed = isXhtml && narrativeElements.has(element);
    if (!isAllowed || this.open.length > deepest) this.isComplete = false;
    if (this.codeDepth > 0 || code.has(element)) this.codeDepth += 1;
    else if (this.open.length > deepest || !this.takeNode()) this.open.push(this.around);
    else this.append(isAllowed ? element : undefined, attributes);
  }

  /** Appends an element, or a plain block for one that FHIR does not allow. */
  private append(element: string | undefined, attributes: ReadonlyMap<string, string>): void {
    const { around } = this;
    // A block keeps what it holds apart from what stands beside it.
    const made = this.document.createElement(element ?? 'div');
    if (element !== undefined) setAttributes(made, attributes);
    around.append(made);
    if (element === 'img' && !isInlineImage(attributes.get('src') ?? '')) {
      this.isComplete = false;
      // The sanitizer writes the words in place of the image.
      this.written.push(attributes.get('alt') ?? '');
    }
    // A browser draws nothing within an element that HTML has empty.
    this.open.push(element !== undefined && empty.has(element) ? around : made);
  }

  end(): void {
    if (this.codeDepth > 0) this.codeDepth -= 1;
    else this.open.pop();
  }

  text(text: string): void {
    if (this.codeDepth > 0 || !this.takeNode()) return;
    this.characters -= text.length;
    if (this.characters >= 0) this.write(text);
    else this.cut(beginningOf(text, text.length + this.characters));
  }

  private write(text: string): void {
    this.written.push(text);
    this.around.append(text);
  }

  /** Takes room for one more node; where there is none, nothing that follows is shown. */
  private takeNode(): boolean {
    if (this.isFull) return false;
    this.nodes -= 1;
    if (this.nodes < 0) this.cut('');
    return !this.isFull;
  }

  private cut(text: string): void {
    this.isFull = true;
    this.isComplete = false;
    this.write(text + cutMark);
  }

  entity(name: string): string {
    const known = entities.get(name);
    if (known !== undefined) return known;
    const { textContent } = new DOMParser().parseFromString(`&${name};`, 'text/html').body;
    entities.set(name, textContent);
    return textContent;
  }
}

function setAttributes(element: HTMLElement, attributes: ReadonlyMap<string, string>): void {
  for (const [name, value] of attributes) {
    if (narrativeAttributes.has(name) && name !== 'xmlns') element.setAttribute(name, value);
  }
  const language = attributes.get('xml:lang');
  if (language !== undefined && !attributes.has('lang')) element.lang = language;
}

/** What is longer without a space is no number, and may be cut. */
const longestNumber = 1000;

/** Returns the beginning of a text up to a length, without a part of a number at its end. */
function beginningOf(text: string, length: number): string {
  for (let at = length; at > length - longestNumber && at > 0; at -= 1)
    if (/\s/.test(text.charAt(at - 1))) return text.slice(0, at);
  return length < longestNumber ? '' : text.slice(0, length);
}
