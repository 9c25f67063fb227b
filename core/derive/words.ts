import { expandSections } from '../fhir/escape-markup.ts';
import { fold } from '../fhir/search-values.ts';

/** Returns the words of a text as the finder compares them: folded runs of letters and digits. */
export function wordsOf(text: string): string[] {
  return fold(text).match(/[\p{L}\p{N}]+/gu) ?? [];
}

const tags = /<[^>]*>/g;
const accentEntities = /&([A-Za-z])(?:uml|acute|grave|circ|tilde|cedil|ring|slash|caron);/g;
const numericEntities = /&#(?:x([0-9a-f]{1,6})|(\d{1,7}));/gi;

/**
 * Returns the words of a narrative (FHIR R4 narrative.html). Folding drops accents, so an entity becomes its
 * base letter.
 */
export function wordsOfXhtml(div: string): string[] {
  const text = expandSections(div)
    .replace(tags, ' ')
    .replace(accentEntities, '$1')
    .replace(/&szlig;/g, 'ss')
    .replace(numericEntities, (_, hex?: string, digits?: string) => decodeCharacter(hex, digits))
    .replace(/&\w+;/g, ' ');
  return wordsOf(text);
}

function decodeCharacter(hex = '', digits = ''): string {
  const code = hex === '' ? Number(digits) : Number.parseInt(hex, 16);
  return code > 0x10ffff ? ' ' : String.fromCodePoint(code);
}
