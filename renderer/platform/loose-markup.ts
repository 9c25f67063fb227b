/**
 * Reads markup that is not well-formed XML, for as much of it as can be shown. A browser's own reader of HTML may make far
 * more of a text than stands in it, as it opens again what was left open. Invariant: each piece between two `<` is looked
 * at by itself and once, and what is no tag is text, so that nothing is hidden.
 */
import type { MarkupHandler } from '../../core/fhir/validation/xhtml.ts';
import { xhtmlEntities } from '../../core/fhir/validation/xhtml-entities.ts';

const tagName = /^(\/?)([A-Za-z][\w.:-]*)/;
/** A slash may stand between attributes, as in `<img/src=a>`. */
const attribute = /[\s/]*([^\s"'>/=]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+))?/y;
const declaration = /^(?:\?|!doctype\b)[^>]*>/i;
const reference = /&(?:#x([0-9A-Fa-f]{1,6})|#([0-9]{1,7})|([A-Za-z][A-Za-z0-9]{0,7}));/g;

/** Elements that hold nothing, whether or not they are closed. */
const empty = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '));
/** Elements that end where another of their kind begins beside them. */
const endedByNext = new Set(['p', 'li', 'dt', 'dd', 'tr', 'td', 'th']);

export interface LooseHandler extends MarkupHandler {
  /** True if it takes nothing more, so that reading ends. */
  readonly isFull: boolean;
}

/** Passes the elements and texts of any markup to `handler`; elements that are left open at the end are not ended. */
export function readLooseMarkup(markup: string, handler: LooseHandler): void {
  const reader = new LooseReader(handler);
  const [before = '', ...pieces] = markup.split('<');
  reader.text(before);
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
  /** How many elements of a name are open. */
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

  /** Reads what stands between a `<` and the next one. */
  piece(piece: string): void {
    const [start, slash, qualified] = tagName.exec(piece) ?? [];
    if (start === undefined || qualified === undefined) {
      const passed = declaration.exec(piece)?.[0];
      this.text(passed === undefined ? `<${piece}` : piece.slice(passed.length));
      return;
    }
    const [attributes, end] = attributesOf(piece, start.length);
    // What is no attribute is passed over.
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
    if (endedByNext.has(name) && this.open.at(-1) === name) this.close(name);
    const decoded = new Map([...attributes].map(([key, value]) => [key, this.decode(value)]));
    this.handler.start(name, decoded, true);
    if (isClosed || empty.has(name)) {
      this.handler.end();
      return;
    }
    this.open.push(name);
    this.openByName.set(name, (this.openByName.get(name) ?? 0) + 1);
  }

  /** Ends an element and all within it; an end tag without its element ends nothing. */
  private close(name: string): void {
    if ((this.openByName.get(name) ?? 0) === 0) return;
    this.flush();
    for (let ended: string | undefined; ended !== name;) {
      ended = this.open.pop() ?? name;
      this.openByName.set(ended, (this.openByName.get(ended) ?? 1) - 1);
      this.handler.end();
    }
  }

  private decode(text: string): string {
    return text.replace(reference, (written, hex?: string, decimal?: string, named?: string) => {
      if (named !== undefined) return xhtmlEntities.has(named) ? this.handler.entity(named) : written;
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code <= 0x10_ff_ff ? String.fromCodePoint(code) : written;
    });
  }
}

/** Returns the attributes from a place on, of one name the first, and where they end. */
function attributesOf(piece: string, from: number): [ReadonlyMap<string, string>, end: number] {
  const found = new Map<string, string>();
  let end = from;
  attribute.lastIndex = from;
  for (let match = attribute.exec(piece); match; match = attribute.exec(piece)) {
    const [, name = '', value = ''] = match;
    end = attribute.lastIndex;
    const key = name.toLowerCase();
    if (!found.has(key)) found.set(key, /^["']/.test(value) ? value.slice(1, -1) : value);
  }
  return [found, end];
}
