import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const files = globSync('{core,server}/**/*.ts').filter(
  (file) => !/\.test\.ts$|\/testing\/|^core\/text\//.test(file),
);

/** Codes of a module's `defineMessages` tables: the scope and each name. */
function* codesIn(file: string): Generator<string> {
  const source = readFileSync(file, 'utf8');
  for (const { 0: head, 1: scope = '', index } of source.matchAll(/defineMessages\(\s*'([^']+)',\s*\{/g)) {
    let depth = 1;
    for (const [part, name] of source.slice(index + head.length).matchAll(token)) {
      if (part === '{') depth += 1;
      if (part === '}') depth -= 1;
      if (depth === 0) break;
      if (depth === 1 && name !== undefined) yield `${scope}.${name}`;
    }
  }
}

/** A string, a comment, a brace, or the name of a member. */
const token = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`|\/\/.*|\/\*[^]*?\*\/|[{}]|(\w+):/g;

test('gives each sentence a unique code', () => {
  const places = files.flatMap((file) => [...codesIn(file)].map((code) => ({ code, file })));
  expect(places.length).toBeGreaterThan(300);
  const repeated = [...Map.groupBy(places, ({ code }) => code)].filter(
    ([, duplicates]) => duplicates.length > 1,
  );
  expect(repeated.map(([code, duplicates]) => [code, duplicates.map(({ file }) => file)])).toEqual([]);
});
