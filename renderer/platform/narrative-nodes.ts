/**
 * Builds the nodes of a narrative by the rules of XHTML: a CDATA section is text, an empty element is empty,
 * a prefix is resolved. HTML would read the same text differently. The nodes are unsafe until safe-markup.ts
 * has sanitized them.
 */
import { expandSections } from '../../core/fhir/escape-markup.ts';
import { readMarkup } from '../../core/fhir/validation/xhtml.ts';
import { narrativeAttributes, narrativeElements } from '../../core/fhir/validation/xhtml-names.ts';
import { readLooseMarkup, type LooseHandler } from './loose-markup.ts';

export interface BuiltNarrative {
  readonly nodes: HTMLElement;
  /** All readable texts of the narrative, in order. */
  readonly text: string;
  /** True if every element and image is shown as intended, to the end. */
  readonly isComplete: boolean;
  readonly isWellFormed: boolean;
}

/** Browsers render nested elements recursively. HTML parsers use the same limit. */
const maxDepth = 500;
/** Limits of the rendered narrative. More would block the page; the rest can be read in the JSON. */
export const shownLimits = { nodes: 50_000, characters: 1_000_000 } as const;
const cutMark = '…';
/** Elements whose text is not for readers. */
const code = new Set(['script', 'style']);
const voidElements = new Set(['br', 'col', 'hr', 'img']);
const raster = /^data:image\/(?:png|jpeg|gif|webp);/i;

/** Returns true if an image is embedded in its address, so that nothing is loaded. */
export function isInlineImage(address: string): boolean {
  return raster.test(address);
}

/**
 * Builds the nodes of a narrative, up to {@link shownLimits}. Text that is not well-formed XML is read as far
 * as possible.
 */
export function buildNarrative(xhtml: string): BuiltNarrative {
  let builder = new Builder();
  const { isWellFormed } = readMarkup(xhtml, builder);
  if (!isWellFormed) {
    builder = new Builder();
    readLooseMarkup(expandSections(xhtml), builder);
  }
  const { root, textParts, isComplete } = builder;
  return { nodes: root, text: textParts.join(''), isComplete, isWellFormed };
}

/** Cache of the decoded entities. */
const entities = new Map<string, string>();

class Builder implements LooseHandler {
  /** A separate document, in which nothing runs or loads. */
  private readonly document = document.implementation.createHTMLDocument();
  readonly root = this.document.createElement('div');
  readonly textParts: string[] = [];
  isComplete = true;
  /** Parents of the next node, innermost last. */
  private readonly open: HTMLElement[] = [this.root];
  /** Number of open elements inside code, including the code element. */
  private codeDepth = 0;
  /** Number of nodes and characters that may still be rendered. */
  private nodes: number = shownLimits.nodes;
  private characters: number = shownLimits.characters;
  isFull = false;

  private get parent(): HTMLElement {
    return this.open.at(-1) ?? this.root;
  }

  start(element: string, attributes: ReadonlyMap<string, string>, isXhtml: boolean): void {
    const isAllowed = isXhtml && narrativeElements.has(element);
    if (!isAllowed || this.open.length > maxDepth) this.isComplete = false;
    if (this.codeDepth > 0 || code.has(element)) this.codeDepth += 1;
    else if (this.open.length > maxDepth || !this.takeNode()) this.open.push(this.parent);
    else this.append(isAllowed ? element : undefined, attributes);
  }

  /** Appends an element, or a plain block for an element that FHIR does not allow. */
  private append(element: string | undefined, attributes: ReadonlyMap<string, string>): void {
    const { parent } = this;
    // A block keeps its content separate from its siblings.
    const created = this.document.createElement(element ?? 'div');
    if (element !== undefined) setAttributes(created, attributes);
    parent.append(created);
    if (element === 'img' && !isInlineImage(attributes.get('src') ?? '')) {
      this.isComplete = false;
      // The sanitizer inserts the alternative text in place of the image.
      this.textParts.push(attributes.get('alt') ?? '');
    }
    // Browsers render nothing inside a void element.
    this.open.push(element !== undefined && voidElements.has(element) ? parent : created);
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
    this.textParts.push(text);
    this.parent.append(text);
  }

  /** Reserves a node. Without one, nothing that follows is shown. */
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
    const cachedText = entities.get(name);
    if (cachedText !== undefined) return cachedText;
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

/** A longer run without a space is not a number and may be cut. */
const maxNumberLength = 1000;

/** Returns the beginning of a text up to a length, without cutting a number at its end. */
function beginningOf(text: string, length: number): string {
  for (let index = length; index > length - maxNumberLength && index > 0; index -= 1)
    if (/\s/.test(text.charAt(index - 1))) return text.slice(0, index);
  return length < maxNumberLength ? '' : text.slice(0, length);
}
