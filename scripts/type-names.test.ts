/** A type is known by its definition alone: what is said of one by name is said again for the next. */
import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { root } from './schema-sources.ts';

const sources = globSync('{core,server,main,renderer}/**/*.{ts,tsx}', { cwd: root });

/** What may name them: tests and what is made; and, with the reason, what is about these two alone. */
const free = [
  /\.test\.tsx?$/,
  /\/(?:testing|generated|fixtures)\//,
  // The definitions themselves.
  /^core\/types\//,
  // A clinic that is invented has plans and documents of its own making.
  /^server\/demo\//,
  // What was released is what stands in files; it is never written anew.
  /^server\/store\/sqlite\/migrations\.ts$/,
];

const name = /\b(?:CarePlan|Composition)s?\b/;

/** The places of a source where a text, a piece of a template or of JSX holds the name of a type. */
function namesIn(path: string, text: string): string[] {
  if (!name.test(text)) return [];
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node) => {
    const isText = ts.isLiteralExpression(node) || ts.isTemplateMiddleOrTemplateTail(node);
    if ((isText || ts.isTemplateHead(node) || ts.isJsxText(node)) && name.test(node.text)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart());
      found.push(`${path}:${line + 1} ${node.text.trim()}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

test('no production source names a resource type in a text', () => {
  const looked = sources
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !free.some((one) => one.test(path)));
  expect(looked.length).toBeGreaterThan(300);
  expect(looked.flatMap((path) => namesIn(path, readFileSync(resolve(root, path), 'utf8')))).toEqual([]);
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
])('%s has %i', (text, count) => {
  expect(namesIn('a.tsx', text)).toHaveLength(count);
});
