import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { root } from './bundles.ts';

/** Words that no text of the interface uses, and their replacements. */
const retiredWords: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  // Vocabulary
  [/\bfindings?\b/i, 'issue'],
  [/\bwhat is wrong\b/i, 'issue'],
  [/\b(?:my|own) checks?\b/i, 'custom check'],
  [/\bjudg(?:e|es|ed|ing|e?ments?)\b/i, 'check'],
  [/\bviolat(?:es?|ed|ing)\b/i, 'fails'],
  [/\b(?:un)?decidable\b/i, 'could not be checked'],
  [/\bmend(?:s|ed|ing)?\b/i, 'fix, edit or repair'],
  [/\b(?:as it was written|put back whole)\b/i, 'intact or repaired'],
  [/\b(?:replace in all|bulk replace|bulk runs?|undo (?:of a )?run)\b/i, 'bulk edit or Undo'],
  [/\btrail\b/i, 'audit log'],
  [/\bsecond place\b/i, 'second location'],
  [/\bcompanions?\b/i, 'related resource'],
  [/\b(?:kept beside|at hand|needs and lacks)\b/i, 'related resource, installed or dependency'],
  [/\b(?:this|the same) machine\b/i, 'this computer'],
  [/\b(?:at the keyboard|nobody named)\b/i, 'profile or author'],
  [/\b(?:another|other) clients?\b/i, 'someone else'],
  [/\bmint(?:s|ed|ing)?\b/i, 'create'],
  [/\b(?:your text|what you typed?)\b/i, 'your changes'],
  [/\b(?:what it refers to|whom it is about)\b/i, 'reference or patient'],
  [/\bmandatory\b/i, 'required'],
  [/\b(?:let through|not taken)\b/i, 'accepted or refused'],
  [/\bleft out\b/i, 'skipped'],
  [/\btime limit\b/i, 'timeout'],
  [/\bgone\b/i, 'no longer exists'],
  [/\bown keys\b/i, 'keyboard shortcut'],
  [/\byes or no\b/i, 'true or false'],
  // Voice
  [/\b(?:anew|beside|meanwhile|unawares|wherein|whereof|therein|thereof|demanded)\b/i, 'a common word'],
  [/\b(?:stands?|lies?|bears?|holds?|held|whole)\b/i, 'is, is stored, has, contains or entire'],
  [/(?:^|[.;:] )(?:Whoever|Whom|(?:What|Who) (?:is|are|was|were)) [^?]*$/, 'a noun'],
  [/\b(?:[Ww]e|[Pp]lease|[Ss]orry|[Oo]ops)\b/, '“you”, or the fact'],
  [/[a-z]!(?:\s|$)/i, 'a full stop'],
  [/[a-z]n't\b/i, 'the apostrophe ’'],
  [
    /\b(?:colours?|licences?|organisations?|behaviours?|practise[sd]?|recognise[sd]?)\b/i,
    'American spelling',
  ],
  [/\d %/, '% without a space'],
  [/(?<=[a-z ])\.\.\.(?!\w)/, 'the character …'],
];

/** Legitimate uses, removed from a text before the search. */
const allowedPhrases: readonly RegExp[] = [
  // Plain English: integers, complete seconds, and all of a record as opposed to one element.
  /\bwhole (?:numbers?|seconds|records?|results?|cluster)\b/gi,
  // The status of a care plan and of its goals.
  /\bon hold\b/gi,
  // The common phrase; the training data of a failed migration.
  /\bgone wrong\b/gi,
  // Members of the API, which keep their names.
  /\bset and findings\b|\bof findings must\b|\bin findings\.|^findings can\b|\bfindings or filter\b/g,
  /\bapplies, holds\b/g,
  // Search synonyms of commands: the names that users knew, and British spelling.
  /\b(?:the )?audit trail\b|^replace in all$|\bcolour mode\b|\bversion licence\b/g,
  // The code of a MedicationStatement.
  /^Not taken$/g,
  // Clients of the server, not people.
  /\bfor other clients to read\b/g,
  // Files that SQLite and PKCS#12 readers know by this name.
  /\bits companion files\b/g,
  // Usage lines.
  /\bPATH\.\.\.(?= )/g,
  // The kind of the moved rows is stored in the state of a move.
  /^ends of findings$/g,
  // The reason phrase of HTTP status 410.
  /^Gone$/g,
  // Electron's events in the log.
  /^page gone: /g,
];

/** Returns the first retired word of a text and its replacement; undefined if there is none. */
function findRetiredWord(text: string): string | undefined {
  const remaining = allowedPhrases.reduce((rest, phrase) => rest.replaceAll(phrase, '·'), text);
  for (const [pattern, replacement] of retiredWords) {
    const word = pattern.exec(remaining)?.[0];
    if (word !== undefined) return `“${word.trim()}”: say ${replacement}`;
  }
  return undefined;
}

interface Text {
  readonly place: string;
  readonly text: string;
}

const isProse = (text: string) => /\p{L}+ \p{L}+/u.test(text);

/** Literals that are types, names or values that code compares. */
function isCode(node: ts.Node): boolean {
  const { parent } = node;
  return (
    ts.isLiteralTypeNode(parent) ||
    ts.isImportDeclaration(parent) ||
    ts.isExportDeclaration(parent) ||
    ts.isElementAccessExpression(parent) ||
    ts.isCaseClause(parent) ||
    (ts.isBinaryExpression(parent) && parent.operatorToken.kind === ts.SyntaxKind.EqualsEqualsEqualsToken) ||
    (ts.isPropertyAssignment(parent) && parent.name === node)
  );
}

/** Returns the strings and templates of a source. Parameters become `{}`. */
function listLiterals(file: string, source: string): Text[] {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const texts: Text[] = [];
  const visit = (node: ts.Node) => {
    const text = ts.isStringLiteralLike(node)
      ? node.text
      : ts.isTemplateExpression(node)
        ? node.head.text + node.templateSpans.map(({ literal }) => `{}${literal.text}`).join('')
        : undefined;
    if (text !== undefined && !isCode(node)) {
      const { line } = tree.getLineAndCharacterOfPosition(node.getStart(tree));
      texts.push({ place: `${file}:${line + 1}`, text });
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return texts;
}

/** Definitions of tables, styles and pages. */
const isCodeText = (text: string) =>
  /\b(?:SELECT|INSERT|UPDATE|DELETE|CREATE|PRAGMA|WHERE|ALTER|DROP|JOIN|RETURNING)\b|\b(?:big)?int(?:eger)?,|[{;] *\n? *[\w-]+: /.test(
    text,
  );

/** Clinical notes of the demo records. */
const isDemoRecord = (file: string) => /^server\/demo\/(?:document-templates|plan-\w+|place)\.ts$/.test(file);

const isProduct = (file: string) =>
  !/\.test\.tsx?$|\/(?:testing|generated)\//.test(file) && !isDemoRecord(file);

function readTexts(pattern: string): Text[] {
  return globSync(pattern, { cwd: root })
    .filter(isProduct)
    .toSorted()
    .flatMap((file) => listLiterals(file, readFileSync(join(root, file), 'utf8')));
}

/** Returns the paragraphs of the guide without code and link targets. */
function readGuide(): Text[] {
  return globSync('docs/guide/*.md', { cwd: root })
    .toSorted()
    .flatMap((file) => {
      const page = readFileSync(join(root, file), 'utf8').replace(/```.*?```/gs, '');
      return page.split(/\n{2,}/).map((paragraph) => ({
        place: file,
        text: paragraph.replaceAll('\n', ' ').replaceAll(/`[^`]*`|\]\([^)]*\)/g, '·'),
      }));
    });
}

const listRetired = (texts: readonly Text[]) =>
  texts.flatMap(({ place, text }) => {
    const reason = findRetiredWord(text.replaceAll(/\{\w*\}/g, '{}'));
    return reason === undefined
      ? []
      : [`${place}: ${reason} in “${text.replaceAll(/\s+/g, ' ').slice(0, 120)}”`];
  });

test('finds no retired word in the texts of the page', () => {
  const texts = readTexts('renderer/ui/text/**/*.ts');
  expect(texts.length).toBeGreaterThan(1000);
  expect(listRetired(texts)).toEqual([]);
});

test('finds no retired word in the sentences of the core, the server, the shell and the command line', () => {
  const texts = readTexts('{core,server,main}/**/*.ts').filter(
    ({ text }) => isProse(text) && !isCodeText(text),
  );
  expect(texts.length).toBeGreaterThan(1000);
  expect(listRetired(texts)).toEqual([]);
});

test('finds no retired word in the guide', () => {
  const texts = readGuide();
  expect(texts.length).toBeGreaterThan(30);
  expect(listRetired(texts)).toEqual([]);
});

test.each([
  ['Judge again', '“Judge”: say check'],
  ['Stored beside the records', '“beside”: say a common word'],
  ['What was sent is in the log.', '“What was sent is in the log.”: say a noun'],
  ['Enter a whole number.', undefined],
  ['Show the audit trail', undefined],
  ['What was sent?', undefined],
])('reports on %j: %s', (text, reason) => {
  expect(findRetiredWord(text)).toBe(reason);
});

test('reads strings and templates, not names and comments', () => {
  const source =
    "// judge\nimport { judge } from './judge.ts'; const judgeAll = (n: 'judge') => `Judge ${n} more`; mend['mend'];";
  expect(listLiterals('a.ts', source)).toEqual([{ place: 'a.ts:2', text: 'Judge {} more' }]);
});
