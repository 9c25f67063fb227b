/**
 * Recognizes text that is not JSON: invisible characters, and notations of chats, editors and programming
 * languages. Strings stay unchanged.
 */

import { defineMessages, type Message } from '../text/message.ts';

const messages = defineMessages('json', {
  invisible: '{code} {name} isn’t allowed here.',
  typographicQuotes: 'JSON needs straight double quotes, not typographic ones.',
  singleQuotes: 'JSON needs double quotes, not single ones.',
  comment: 'JSON has no comments.',
  literal: 'JSON uses {json}, not {python}.',
  noValue: 'JSON has no {name}.',
  trailingComma: 'Trailing comma before a closing bracket.',
});

/** Message for an offset at which a text stops being JSON, and the repair if only one is possible. */
interface ForeignSyntax {
  /** Matches at the offset. */
  readonly detect: RegExp;
  readonly message: (match: string) => Message;
  /** Matches everywhere outside strings. `replace` returns the correction. */
  readonly repair?: {
    readonly label: string;
    readonly pattern: RegExp;
    readonly replace: (match: string) => string;
  };
}

/** Corrected text, and the label of the correction. */
export interface SyntaxRepair {
  readonly label: string;
  readonly repairedText: string;
}

/**
 * Characters that look like white space or are invisible, with Unicode names. Characters without width are removed.
 */
const signs: Readonly<Record<string, { readonly name: string; readonly isWide?: true }>> = {
  '\u0085': { name: 'NEXT LINE', isWide: true },
  '\u00a0': { name: 'NO-BREAK SPACE', isWide: true },
  '\u00ad': { name: 'SOFT HYPHEN' },
  '\u1680': { name: 'OGHAM SPACE MARK', isWide: true },
  '\u2000': { name: 'EN QUAD', isWide: true },
  '\u2001': { name: 'EM QUAD', isWide: true },
  '\u2002': { name: 'EN SPACE', isWide: true },
  '\u2003': { name: 'EM SPACE', isWide: true },
  '\u2004': { name: 'THREE-PER-EM SPACE', isWide: true },
  '\u2005': { name: 'FOUR-PER-EM SPACE', isWide: true },
  '\u2006': { name: 'SIX-PER-EM SPACE', isWide: true },
  '\u2007': { name: 'FIGURE SPACE', isWide: true },
  '\u2008': { name: 'PUNCTUATION SPACE', isWide: true },
  '\u2009': { name: 'THIN SPACE', isWide: true },
  '\u200a': { name: 'HAIR SPACE', isWide: true },
  '\u200b': { name: 'ZERO WIDTH SPACE' },
  '\u200c': { name: 'ZERO WIDTH NON-JOINER' },
  '\u200d': { name: 'ZERO WIDTH JOINER' },
  '\u200e': { name: 'LEFT-TO-RIGHT MARK' },
  '\u200f': { name: 'RIGHT-TO-LEFT MARK' },
  '\u2028': { name: 'LINE SEPARATOR', isWide: true },
  '\u2029': { name: 'PARAGRAPH SEPARATOR', isWide: true },
  '\u202a': { name: 'LEFT-TO-RIGHT EMBEDDING' },
  '\u202b': { name: 'RIGHT-TO-LEFT EMBEDDING' },
  '\u202c': { name: 'POP DIRECTIONAL FORMATTING' },
  '\u202d': { name: 'LEFT-TO-RIGHT OVERRIDE' },
  '\u202e': { name: 'RIGHT-TO-LEFT OVERRIDE' },
  '\u202f': { name: 'NARROW NO-BREAK SPACE', isWide: true },
  '\u205f': { name: 'MEDIUM MATHEMATICAL SPACE', isWide: true },
  '\u2060': { name: 'WORD JOINER' },
  '\u2066': { name: 'LEFT-TO-RIGHT ISOLATE' },
  '\u2067': { name: 'RIGHT-TO-LEFT ISOLATE' },
  '\u2068': { name: 'FIRST STRONG ISOLATE' },
  '\u2069': { name: 'POP DIRECTIONAL ISOLATE' },
  '\u3000': { name: 'IDEOGRAPHIC SPACE', isWide: true },
  '\ufeff': { name: 'ZERO WIDTH NO-BREAK SPACE (byte order mark)' },
};

/** Matches one of them. */
const sign = /[\u0085\u00a0\u00ad\u1680\u2000-\u200f\u2028-\u202f\u205f\u2060\u2066-\u2069\u3000\ufeff]/y;
const python: Readonly<Record<string, string>> = { None: 'null', True: 'true', False: 'false' };

const foreign: readonly ForeignSyntax[] = [
  {
    detect: sign,
    message: (match) => messages.invisible({ code: codeOf(match), name: signs[match]?.name ?? '' }),
    repair: {
      label: 'Replace invisible characters outside strings',
      pattern: sign,
      replace: (match) => (signs[match]?.isWide ? ' ' : ''),
    },
  },
  {
    detect: /[\u201c-\u201f\u2018-\u201b\u00ab\u00bb\u2032\u2033]/y,
    message: messages.typographicQuotes,
    repair: {
      label: 'Use straight double quotes',
      // A quote with a quote or a backslash inside is ambiguous.
      pattern: /(?<=(?:^|[{[,:])\s*)[\u201c-\u201f][^\u201c-\u201f"\\\n]*[\u201c-\u201f](?=\s*[,:}\]]|\s*$)/y,
      replace: (match) => `"${match.slice(1, -1)}"`,
    },
  },
  {
    detect: /'/y,
    message: messages.singleQuotes,
    repair: {
      label: 'Use double quotes',
      pattern: /(?<=(?:^|[{[,:])\s*)'[^'"\\\n]*'(?=\s*[,:}\]]|\s*$)/y,
      replace: (match) => `"${match.slice(1, -1)}"`,
    },
  },
  {
    detect: /\/[/*]/y,
    message: messages.comment,
    repair: { label: 'Remove comments', pattern: /\/\/[^\n]*|\/\*[^]*?\*\//y, replace: () => '' },
  },
  {
    detect: /(?:None|True|False)\b/y,
    message: (match) => messages.literal({ json: python[match] ?? '', python: match }),
    repair: {
      label: 'Use null, true and false',
      pattern: /(?:None|True|False)\b/y,
      replace: (match) => python[match] ?? match,
    },
  },
  {
    detect: /-?(?:NaN|Infinity)\b/y,
    message: (match) => messages.noValue({ name: match.replace('-', '') }),
  },
  { detect: /undefined\b/y, message: () => messages.noValue({ name: 'undefined' }) },
];

const trailingComma: Required<Pick<ForeignSyntax, 'repair'>>['repair'] = {
  label: 'Remove trailing commas',
  pattern: /,(?=\s*[\]}])/y,
  replace: () => '',
};

/** Returns a message about the foreign syntax at `offset`; undefined if it is unknown. */
export function describeForeignSyntax(text: string, offset: number): Message | undefined {
  if (isAfterComma(text, offset)) return messages.trailingComma();
  const match = foreignAt(text, offset);
  return match?.one.message(match.match);
}

/**
 * Returns the text with all such syntax outside strings corrected; undefined if the correction is ambiguous.
 */
export function repairForeignSyntax(text: string, offset: number): SyntaxRepair | undefined {
  const repair = isAfterComma(text, offset) ? trailingComma : foreignAt(text, offset)?.one.repair;
  if (!repair) return undefined;
  const repaired = replaceOutsideStrings(text, repair.pattern, repair.replace);
  return repaired === text ? undefined : { label: repair.label, repairedText: repaired };
}

function foreignAt(text: string, offset: number) {
  for (const syntax of foreign) {
    syntax.detect.lastIndex = offset;
    const match = syntax.detect.exec(text)?.[0];
    if (match !== undefined) return { one: syntax, match };
  }
  return undefined;
}

/** Returns true if a bracket closes at `offset` after a comma. */
function isAfterComma(text: string, offset: number): boolean {
  if (text[offset] !== ']' && text[offset] !== '}') return false;
  let before = offset - 1;
  while (' \t\r\n'.includes(text[before] ?? '-')) before -= 1;
  return text[before] === ',';
}

const string = /"[^"\\\n]*(?:\\.[^"\\\n]*)*"?/y;
const foreignString = /'[^'\n]*'|[\u201c-\u201f][^\u201c-\u201f\n]*[\u201c-\u201f]/y;
const comment = /\/\/[^\n]*|\/\*/y;

function replaceOutsideStrings(text: string, pattern: RegExp, replace: (match: string) => string): string {
  const parts: string[] = [];
  let copiedEnd = 0;
  let offset = 0;
  while (offset < text.length) {
    pattern.lastIndex = offset;
    const match = pattern.exec(text)?.[0];
    if (match !== undefined) {
      parts.push(text.slice(copiedEnd, offset), replace(match));
      offset += match.length;
      copiedEnd = offset;
    } else offset = skipToken(text, offset);
  }
  return parts.join('') + text.slice(copiedEnd);
}

/** Returns the end of the string or comment at `offset`, otherwise the next offset. */
function skipToken(text: string, offset: number): number {
  const start = text[offset] ?? '';
  const foreignPattern = start === '/' ? comment : foreignString;
  const pattern = start === '"' ? string : foreignPattern;
  pattern.lastIndex = offset;
  const match = pattern.exec(text)?.[0];
  if (match !== '/*') return offset + (match?.length ?? 1);
  const end = text.indexOf('*/', offset + 2);
  return end < 0 ? text.length : end + 2;
}

function codeOf(character: string): string {
  return `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
}
