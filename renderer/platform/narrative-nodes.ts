/**
 * Builds the nodes of a narrative as XHTML means them: a section is text, an empty element is empty, a prefix is
 * resolved. HTML would read the same text differently. The nodes are foreign until safe-markup.ts has sanitized them.
 */
import { readMarkup, type MarkupHandler } from '../../core/fhir/validation/xhtml.ts';
import { narrativeAttributes, narrativeElements } from '../../core/fhir/validation/xhtml-names.ts';

export interface BuiltNarrative {
  readonly nodes: HTMLElement;
  /** Every text that the narrative has for a reader, in its order. */
  readonly text: string;
  /** Whether each element and image is shown as what it is. */
  readonly isComplete: boolean;
}

/** A browser draws what is nested deeper by recursion; HTML's own parser stops there, too. */
const deepest = 500;
/** Their text is no text to a reader. */
const code = new Set(['script', 'style']);
const empty = new Set(['br', 'col', 'hr', 'img']);
const raster = /^data:image\/(?:png|jpeg|gif|webp);/i;

/** Whether the address of an image lies within the narrative, so that nothing is loaded to show it. */
export function isInlineImage(address: string): boolean {
  return raster.test(address);
}

/** Builds the nodes of a narrative; undefined where it is not well-formed XML. */
export function buildNarrative(xhtml: string): BuiltNarrative | undefined {
  const builder = new Builder();
  if (!readMarkup(xhtml, builder).isWellFormed) return undefined;
  const { root, written, isComplete } = builder;
  return { nodes: root, text: written.join(''), isComplete };
}

/** The characters of the entities that were read. */
const entities = new Map<string, string>();

class Builder implements MarkupHandler {
  /** A document of its own: nothing in it runs, and nothing is loaded. */
  private readonly document = document.implementation.createHTMLDocument();
  readonly root = this.document.createElement('div');
  readonly written: string[] = [];
  isComplete = true;
  /** Where the content of each open element goes. */
  private readonly open: HTMLElement[] = [this.root];
  /** How many elements are open within code, its own included. */
  private codeDepth = 0;

  private get around(): HTMLElement {
    return this.open.at(-1) ?? this.root;
  }

  start(element: string, attributes: ReadonlyMap<string, string>, isXhtml: boolean): void {
    const isAllowed = isXhtml && narrativeElements.has(element);
    if (!isAllowed || this.open.length > deepest) this.isComplete = false;
    if (this.codeDepth > 0 || code.has(element)) this.codeDepth += 1;
    else if (this.open.length > deepest) this.open.push(this.around);
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
    if (this.codeDepth > 0) return;
    this.written.push(text);
    this.around.append(text);
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
