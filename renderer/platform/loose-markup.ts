/**
 * Reads markup that is not well-formed XML, as far as possible. An HTML parser may create far more than the
 * text contains, because it reopens unclosed elements.
 * Invariant: each part between two `<` is read once, and anything that is not a tag is text, so that nothing
 * is hidden.
 */
import type { MarkupHandler } from '../../core/fhir/validation/xhtml.ts';
import { xhtmlEntities } from '../../core/fhir/validation/xhtml-entities.ts';

const tagName = /^(\/?)([A-Za-z][\w.:-]*)/;
/** A slash may separate attributes, as in `<img/src=a>`. */
const attribute = /[\s/]*([^\s"'>/=]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+))?/y;
const declaration = /^(?:\?|!doctype\b)[^>]*>/i;
const reference = /&(?:#x([0-9A-Fa-f]{1,6})|#([0-9]{1,7})|([A-Za-z][A-Za-z0-9]{0,7}));/g;

/** Elements without content, closed or not. */
const voidElements = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
);
/** Elements that end where a sibling of their kind starts. */
const elementsEndedBySibling = new Set(['p', 'li', 'dt', 'dd', 'tr', 'td', 'th']);

export interface LooseHandler extends MarkupHandler {
  /** True if the handler accepts no more input. Reading ends then. */
  readonly isFull: boolean;
}

/**
 * Passes the elements and texts of any markup to `handler`. Elements that are open at the end are not ended.
 */
export function readLooseMarkup(markup: string, handler: LooseHandler): void {
  const reader = new LooseReader(handler);
  const [textBefore = '', ...pieces] = markup.split('<');
  reader.text(textBefore);
  for (const piece of pieces) {
    if (handler.isFull) return;
    reader.piece(piece);
  }
  reader.flush();
}

class LooseReader {
  private readonly handler: MarkupHandler;
  /** Texts since the last tag. */
  private texts: string[] = [];
  private readonly open: string[] = [];
  private readonly openByName = new Map<string, number>();

  constructor(handler: MarkupHandler) {
    this.handler = handler;
  }

  text(text: string): void {
    this.texts.push(text);
  }

  flush(): void {
    const text = this.texts.join('');
    this.texts = [];
    if (text !== '') this.handler.text(this.decode(text));
  }

  /** Reads the part between a `<` and the next one. */
  piece(piece: string): void {
    const [start, slash, qualified] = tagName.exec(piece) ?? [];
    if (start === undefined || qualified === undefined) {
      const declarationText = declaration.exec(piece)?.[0];
      this.text(declarationText === undefined ? `<${piece}` : piece.slice(declarationText.length));
      return;
    }
    const [attributes, end] = attributesOf(piece, start.length);
    // Anything else up to `>` is ignored.
    const close = piece.indexOf('>', end);
    if (close < 0) {
      this.text(`<${piece}`);
      return;
    }
    const name = qualified.slice(qualified.lastIndexOf(':') + 1).toLowerCase();
    if (slash === '/') this.close(name);
    else this.start(name, attributes, close > end && piece[close - 1] === '/');
    this.text(piece.slice(close + 1));
  }

  private start(name: string, attributes: ReadonlyMap<string, string>, isClosed: boolean): void {
    this.flush();
    if (elementsEndedBySibling.has(name) && this.open.at(-1) === name) this.close(name);
    const decoded = new Map([...attributes].map(([key, value]) => [key, this.decode(value)]));
    this.handler.start(name, decoded, true);
    if (isClosed || voidElements.has(name)) {
      this.handler.end();
      return;
    }
    this.open.push(name);
    this.openByName.set(name, (this.openByName.get(name) ?? 0) + 1);
  }

  /** Ends an element and all its descendants. An unmatched end tag is ignored. */
  private close(name: string): void {
    if ((this.openByName.get(name) ?? 0) === 0) return;
    this.flush();
    for (let endedName: string | undefined; endedName !== name;) {
      endedName = this.open.pop() ?? name;
      this.openByName.set(endedName, (this.openByName.get(endedName) ?? 1) - 1);
      this.handler.end();
    }
  }

  private decode(text: string): string {
    return text.replace(reference, (matchedText, hex?: string, decimal?: string, entityName?: string) => {
      if (entityName !== undefined)
        return xhtmlEntities.has(entityName) ? this.handler.entity(entityName) : matchedText;
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code <= 0x10_ff_ff ? String.fromCodePoint(code) : matchedText;
    });
  }
}

/** Returns the attributes from an offset, the first of each name, and the offset after them. */
function attributesOf(piece: string, startOffset: number): [ReadonlyMap<string, string>, end: number] {
  const attributes = new Map<string, string>();
  let end = startOffset;
  attribute.lastIndex = startOffset;
  for (let match = attribute.exec(piece); match; match = attribute.exec(piece)) {
    const [, name = '', value = ''] = match;
    end = attribute.lastIndex;
    const key = name.toLowerCase();
    if (!attributes.has(key)) attributes.set(key, /^["']/.test(value) ? value.slice(1, -1) : value);
  }
  return [attributes, end];
}
