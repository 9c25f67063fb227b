import { expandSections } from '../fhir/escape-markup.ts';
import { fold } from '../fhir/search-values.ts';

/** The words of a text as the finder compares them: folded runs of letters and digits. */
export function wordsOf(text: string): string[] {
  return fold(text).match(/[\p{L}\p{N}]+/gu) ?? [];
}

const tags = /<[^>]*>/g;
const marked = /&([A-Za-z])(?:uml|acute|grave|circ|tilde|cedil|ring|slash|caron);/g;
const numbered = /&#(?:x([0-9a-f]{1,6})|(\d{1,7}));/gi;

/** The words of a narrative (FHIR R4 narrative.html): accents go with the folding, so a letter's entity is the letter. */
export function wordsOfXhtml(div: string): string[] {
  const text = expandSections(div)
    .replace(tags, ' ')
    .replace(marked, '$1')
    .replace(/&szlig;/g, 'ss')
    .replace(numbered, (_, hex?: string, digits?: string) => character(hex, digits))
    .replace(/&\w+;/g, ' ');
  return wordsOf(text);
}

function character(hex = '', digits = ''): string {
  const code = hex === '' ? Number(digits) : Number.parseInt(hex, 16);
  return code > 0x10ffff ? ' ' : String.fromCodePoint(code);
}
