/**
 * Measures how plainly the code is written, and fails above a limit: `node scripts/words.ts [--list] [FOLDER...]`.
 * `--list` prints each place. Run by `npm run lint`.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import ts from 'typescript';
import { root } from './bundles.ts';
import { listComments } from './comments.ts';
import { findDialect, isFusedComment, isVagueName } from './word-rules.ts';

const defaultFolders = [
  'core',
  'server',
  'renderer',
  'main',
  'e2e',
  'faults',
  'bench',
  'scripts',
  'mutants',
  'examples',
];

/** Highest share of each measure in percent; `packed spreads` is a count. */
export const limits = {
  production: {
    'vague locals': 1,
    'vague functions and members': 1,
    'fused comments': 2,
    'packed spreads': 0,
  },
  tests: {
    'vague locals': 2,
    'vague functions and members': 2,
    'fused comments': 2,
    'packed spreads': 0,
    'test titles in dialect': 3,
  },
} as const;

type MeasureName = keyof (typeof limits)['tests'];

interface Measure {
  total: number;
  readonly places: string[];
}

/** The measures of one side: production code or tests. */
export type Measures = Readonly<Record<MeasureName, Measure>>;

const createMeasures = (): Measures => ({
  'vague locals': { total: 0, places: [] },
  'vague functions and members': { total: 0, places: [] },
  'fused comments': { total: 0, places: [] },
  'packed spreads': { total: 0, places: [] },
  'test titles in dialect': { total: 0, places: [] },
});

const skippedFolder = /^(?:node_modules|dist|out|build|coverage|generated|static|\..*)$/;
const testFolder = /^(?:testing|test|tests|e2e|faults|fixtures)$/;

interface SourceFile {
  readonly path: string;
  readonly isTest: boolean;
}

function listFiles(folder: string): SourceFile[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.[cm]?tsx?$/.test(entry.name) && !entry.name.endsWith('.d.ts'))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .filter((path) => !path.split('/').some((part) => skippedFolder.test(part)))
    .toSorted()
    .map((path) => ({ path, isTest: isTestPath(path) }));
}

function isTestPath(path: string): boolean {
  return /\.(?:test|spec)\.[cm]?tsx?$/.test(path) || path.split('/').some((part) => testFolder.test(part));
}

const isLocal = (node: ts.Node): node is ts.NamedDeclaration =>
  ts.isVariableDeclaration(node) || ts.isParameter(node) || ts.isBindingElement(node);

const isMember = (node: ts.Node): node is ts.NamedDeclaration =>
  ts.isFunctionDeclaration(node) ||
  ts.isFunctionExpression(node) ||
  ts.isMethodDeclaration(node) ||
  ts.isMethodSignature(node) ||
  ts.isPropertySignature(node) ||
  ts.isPropertyDeclaration(node) ||
  ts.isAccessor(node) ||
  ts.isEnumMember(node) ||
  ts.isClassDeclaration(node) ||
  ts.isInterfaceDeclaration(node) ||
  ts.isTypeAliasDeclaration(node);

const isFunctionLike = (node: ts.Node) =>
  ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node) || ts.isMethodSignature(node);

const comparisons: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
  ts.SyntaxKind.LessThanToken,
  ts.SyntaxKind.GreaterThanToken,
  ts.SyntaxKind.LessThanEqualsToken,
  ts.SyntaxKind.GreaterThanEqualsToken,
  ts.SyntaxKind.InKeyword,
  ts.SyntaxKind.InstanceOfKeyword,
]);

const isBooleanLiteral = (node: ts.Node | undefined) =>
  node?.kind === ts.SyntaxKind.TrueKeyword || node?.kind === ts.SyntaxKind.FalseKeyword;

/** Returns whether a declaration is a boolean by its type or its first value. */
function isBoolean(node: ts.Node): boolean {
  const { type, initializer } = node as { type?: ts.TypeNode; initializer?: ts.Expression };
  if (type) {
    return (
      type.kind === ts.SyntaxKind.BooleanKeyword ||
      (ts.isLiteralTypeNode(type) && isBooleanLiteral(type.literal))
    );
  }
  if (!initializer) return false;
  if (isBooleanLiteral(initializer)) return true;
  if (ts.isPrefixUnaryExpression(initializer)) return initializer.operator === ts.SyntaxKind.ExclamationToken;
  return ts.isBinaryExpression(initializer) && comparisons.has(initializer.operatorToken.kind);
}

const isPackedSpread = (node: ts.Node) =>
  ((ts.isSpreadAssignment(node) || ts.isJsxSpreadAttribute(node)) &&
    ts.isObjectLiteralExpression(node.expression)) ||
  (ts.isSpreadElement(node) && ts.isArrayLiteralExpression(node.expression));

/** Returns the function that a call begins with: `test` of `test.each(rows)(title)`. */
function findCallee(expression: ts.Expression): string {
  if (ts.isIdentifier(expression)) return expression.text;
  if (ts.isTaggedTemplateExpression(expression)) return findCallee(expression.tag);
  if (ts.isPropertyAccessExpression(expression) || ts.isCallExpression(expression))
    return findCallee(expression.expression);
  return '';
}

function readTitle(node: ts.Node): string | undefined {
  if (!ts.isCallExpression(node) || !/^(?:test|it|describe|suite)$/.test(findCallee(node.expression)))
    return undefined;
  const [title] = node.arguments;
  if (title === undefined) return undefined;
  if (ts.isStringLiteralLike(title)) return title.text;
  if (!ts.isTemplateExpression(title)) return undefined;
  return title.head.text + title.templateSpans.map(({ literal }) => `…${literal.text}`).join('');
}

/** Adds the measures of one source file. */
export function measureSource(path: string, text: string, measures: Measures, isTest: boolean): void {
  const kind = path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, kind);
  const count = (name: MeasureName) => {
    measures[name].total += 1;
  };
  const report = (name: MeasureName, position: number, detail: string) => {
    const { line } = source.getLineAndCharacterOfPosition(position);
    measures[name].places.push(`${path}:${line + 1}: ${detail}`);
  };
  const measureName = (node: ts.NamedDeclaration) => {
    const { name } = node;
    if (!name || !ts.isIdentifier(name) || !/[A-Za-z]/.test(name.text)) return;
    const measure = isLocal(node) ? 'vague locals' : 'vague functions and members';
    count(measure);
    if (isVagueName(name.text, { isBoolean: isBoolean(node), isFunction: isFunctionLike(node) }))
      report(measure, name.getStart(source), name.text);
  };
  const visit = (node: ts.Node) => {
    if (isLocal(node) || isMember(node)) measureName(node);
    if (isPackedSpread(node)) report('packed spreads', node.getStart(source), 'spread of a literal');
    const title = isTest ? readTitle(node) : undefined;
    if (title !== undefined) {
      count('test titles in dialect');
      const reason = findDialect(title);
      if (reason !== undefined)
        report('test titles in dialect', node.getStart(source), `${title} (${reason})`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  for (const { start, prose } of listComments(source)) {
    count('fused comments');
    if (isFusedComment(prose)) report('fused comments', start, prose.slice(0, 120));
  }
}

/** Returns the measures of the source files below some folders. */
export function measureFolders(folders: readonly string[]): Readonly<Record<keyof typeof limits, Measures>> {
  const sides = { production: createMeasures(), tests: createMeasures() };
  for (const { path, isTest } of folders.flatMap(listFiles))
    measureSource(
      path,
      readFileSync(join(root, path), 'utf8'),
      isTest ? sides.tests : sides.production,
      isTest,
    );
  return sides;
}

function run(): void {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { list: { type: 'boolean', default: false } },
  });
  const sides = measureFolders(positionals.length > 0 ? positionals : defaultFolders);
  for (const side of ['production', 'tests'] as const) {
    for (const [name, limit] of Object.entries(limits[side])) {
      const { total, places } = sides[side][name as MeasureName];
      const isCount = name === 'packed spreads';
      const value = isCount ? places.length : (100 * places.length) / Math.max(1, total);
      const isOver = value > limit;
      const figure = isCount ? String(value) : `${value.toFixed(1)} %`;
      if (isOver) process.exitCode = 1;
      console.log(`${side}: ${name}: ${figure} of at most ${limit}${isOver ? '  TOO MANY' : ''}`);
      if (values.list || isOver)
        for (const place of values.list ? places : places.slice(0, 20)) console.log(`  ${place}`);
    }
  }
}

if (import.meta.main) run();
