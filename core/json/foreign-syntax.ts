/**
 * Recognizes what stands in a text instead of JSON: signs that cannot be seen, and the notations of chats, editors and
 * programming languages. Strings are left as they are.
 */

/** A sentence for the place where a text stops being JSON, and how it is repaired where only one repair is possible. */
interface ForeignSyntax {
  /** Matches at the place. */
  readonly here: RegExp;
  readonly message: (match: string) => string;
  /** Matches everywhere outside strings, and says what is written instead. */
  readonly repair?: {
    readonly label: string;
    readonly all: RegExp;
    readonly replace: (match: string) => string;
  };
}

/** A corrected text, and the name of the correction. */
export interface SyntaxRepair {
  readonly label: string;
  readonly text: string;
}

/** Signs that look like white space or like nothing, with their names in Unicode; those of no width are removed. */
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

/** Finds one of them. */
const sign = /[\u0085\u00a0\u00ad\u1680\u2000-\u200f\u2028-\u202f\u205f\u2060\u2066-\u2069\u3000\ufeff]/y;
const python: Readonly<Record<string, string>> = { None: 'null', True: 'true', False: 'false' };

const foreign: readonly ForeignSyntax[] = [
  {
    here: sign,
    message: (match) => `${codeOf(match)} ${signs[match]?.name ?? ''} is not allowed here`,
    repair: {
      label: 'Replace invisible characters outside strings',
      all: sign,
      replace: (match) => (signs[match]?.isWide ? ' ' : ''),
    },
  },
  {
    here: /[\u201c-\u201f\u2018-\u201b\u00ab\u00bb\u2032\u2033]/y,
    message: () => 'JSON needs straight double quotes, not typographic ones',
    repair: {
      label: 'Write straight double quotes',
      // One that holds a quote or a backslash may mean either.
      all: /(?<=(?:^|[{[,:])\s*)[\u201c-\u201f][^\u201c-\u201f"\\\n]*[\u201c-\u201f](?=\s*[,:}\]]|\s*$)/y,
      replace: (match) => `"${match.slice(1, -1)}"`,
    },
  },
  {
    here: /'/y,
    message: () => 'JSON needs double quotes, not single ones',
    repair: {
      label: 'Write double quotes',
      all: /(?<=(?:^|[{[,:])\s*)'[^'"\\\n]*'(?=\s*[,:}\]]|\s*$)/y,
      replace: (match) => `"${match.slice(1, -1)}"`,
    },
  },
  {
    here: /\/[/*]/y,
    message: () => 'JSON has no comments',
    repair: { label: 'Remove comments', all: /\/\/[^\n]*|\/\*[^]*?\*\//y, replace: () => '' },
  },
  {
    here: /(?:None|True|False)\b/y,
    message: (match) => `JSON writes ${python[match] ?? ''} for ${match}`,
    repair: {
      label: 'Write null, true and false as JSON does',
      all: /(?:None|True|False)\b/y,
      replace: (match) => python[match] ?? match,
    },
  },
  {
    here: /-?(?:NaN|Infinity)\b/y,
    message: (match) => `JSON has no ${match.replace('-', '')}`,
  },
  { here: /undefined\b/y, message: () => 'JSON has no undefined' },
];

const trailingComma: Required<Pick<ForeignSyntax, 'repair'>>['repair'] = {
  label: 'Remove commas before closing brackets',
  all: /,(?=\s*[\]}])/y,
  replace: () => '',
};

/** Returns what stands at `offset` instead of JSON, as a sentence; undefined where it is nothing known. */
export function describeForeignSyntax(text: string, offset: number): string | undefined {
  if (isBehindComma(text, offset)) return 'A comma stands before a closing bracket';
  const found = foreignAt(text, offset);
  return found?.one.message(found.match);
}

/** Returns the text with every such thing outside strings corrected; undefined where no single correction is right. */
export function repairForeignSyntax(text: string, offset: number): SyntaxRepair | undefined {
  const repair = isBehindComma(text, offset) ? trailingComma : foreignAt(text, offset)?.one.repair;
  if (!repair) return undefined;
  const repaired = replaceOutsideStrings(text, repair.all, repair.replace);
  return repaired === text ? undefined : { label: repair.label, text: repaired };
}

function foreignAt(text: string, offset: number) {
  for (const one of foreign) {
    one.here.lastIndex = offset;
    const match = one.here.exec(text)?.[0];
    if (match !== undefined) return { one, match };
  }
  return undefined;
}

/** True if a bracket closes at `offset` although a comma stands before it. */
function isBehindComma(text: string, offset: number): boolean {
  if (text[offset] !== ']' && text[offset] !== '}') return false;
  let before = offset - 1;
  while (' \t\r\n'.includes(text[before] ?? '-')) before -= 1;
  return text[before] === ',';
}

const string = /"[^"\\\n]*(?:\\.[^"\\\n]*)*"?/y;
const foreignString = /'[^'\n]*'|[\u201c-\u201f][^\u201c-\u201f\n]*[\u201c-\u201f]/y;
const comment = /\/\/[^\n]*|\/\*/y;

function replaceOutsideStrings(text: string, all: RegExp, replace: (match: string) => string): string {
  const parts: string[] = [];
  let from = 0;
  let at = 0;
  while (at < text.length) {
    all.lastIndex = at;
    const match = all.exec(text)?.[0];
    if (match !== undefined) {
      parts.push(text.slice(from, at), replace(match));
      at += match.length;
      from = at;
    } else at = skipped(text, at);
  }
  return parts.join('') + text.slice(from);
}

/** Returns where the string or comment ends that starts at `at`, else the offset behind. */
function skipped(text: string, at: number): number {
  const start = text[at] ?? '';
  const other = start === '/' ? comment : foreignString;
  const pattern = start === '"' ? string : other;
  pattern.lastIndex = at;
  const match = pattern.exec(text)?.[0];
  if (match !== '/*') return at + (match?.length ?? 1);
  const end = text.indexOf('*/', at + 2);
  return end < 0 ? text.length : end + 2;
}

function codeOf(character: string): string {
  return `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
}
