/** Only its definition may name a type. Code that names one must change for each new type. */
import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { root } from './schema-sources.ts';

const sources = globSync('{core,server,main,renderer}/**/*.{ts,tsx}', { cwd: root });

/** Sources that may name types: tests, generated files, and the exceptions below. */
const exemptPaths = [
  /\.test\.tsx?$/,
  /\/(?:testing|generated|fixtures)\//,
  // The definitions, and the texts of the page for each type.
  /^core\/types\//,
  /^renderer\/ui\/text\/types\//,
  // The invented clinic creates its own plans and documents.
  /^server\/demo\//,
  // Released migrations match the files of users and never change.
  /^server\/store\/sqlite\/migrations\.ts$/,
];

const name = /\b(?:CarePlan|Composition)s?\b/;

/**
 * Lists the lines of a source where a string, a part of a template or JSX text contains the name of a type.
 */
function findNames(path: string, text: string): string[] {
  if (!name.test(text)) return [];
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const matches: string[] = [];
  const visit = (node: ts.Node) => {
    const isText = ts.isLiteralExpression(node) || ts.isTemplateMiddleOrTemplateTail(node);
    if ((isText || ts.isTemplateHead(node) || ts.isJsxText(node)) && name.test(node.text)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart());
      matches.push(`${path}:${line + 1} ${node.text.trim()}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return matches;
}

test('names no resource type in a text of production code', () => {
  const checkedPaths = sources
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !exemptPaths.some((pattern) => pattern.test(path)));
  expect(checkedPaths.length).toBeGreaterThan(300);
  expect(checkedPaths.flatMap((path) => findNames(path, readFileSync(resolve(root, path), 'utf8')))).toEqual(
    [],
  );
});

test.each([
  ["const a = 'CarePlan';", 1],
  ['const a = `/fhir/${b}/Composition`;', 1],
  ['const a = `All CarePlans of ${b}`;', 1],
  ['const a = `${b} and Compositions are ${c}`;', 1],
  ['const a = /^CarePlan$/;', 1],
  ['type A = "Composition" | "x";', 1],
  ['const a = { "CarePlan": 1 };', 1],
  ['const a = <p title="CarePlan">Compositions</p>;', 2],
  ['// CarePlan\nconst CarePlanned = "CarePlanner"; interface Composition {}', 0],
])('counts the names in %s: %i', (text, count) => {
  expect(findNames('a.tsx', text)).toHaveLength(count);
});
