import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './bundles.ts';

const page = readFileSync(join(root, 'docs/api-rows.md'), 'utf8');
const anchors = [...page.matchAll(/<a id="row-(\w+)"><\/a>(\w+)\s*\|/g)];

/** Sources and pages of the project, without the history of changes. */
const files = execFileSync('git', ['ls-files', '*.ts', '*.tsx', '*.md'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((path) => path !== '' && path !== 'CHANGELOG.md' && existsSync(join(root, path)));

/** Rows that a text cites: `row 30`, `rows 35 to 41`, `rows 7, 8 and 12`. */
function citedRows(text: string): readonly string[] {
  const citations = text.matchAll(/\brows? (\d+[a-z]?(?:(?:, | and | to |–)\d+[a-z]?)*)/gi);
  return [...citations].flatMap(([, numbers = '']) => numbers.match(/\d+[a-z]?/g) ?? []);
}

test('gives each row one anchor with its number', () => {
  expect(anchors.length).toBeGreaterThan(90);
  expect(anchors.filter(([, id, number]) => id !== number)).toEqual([]);
  expect(new Set(anchors.map(([, id]) => id)).size).toBe(anchors.length);
});

test('has each row that code, tests or documentation cite', () => {
  const knownIds = new Set(anchors.map(([, id]) => id));
  const unknown = files.flatMap((path) =>
    citedRows(readFileSync(join(root, path), 'utf8'))
      .filter((row) => !knownIds.has(row))
      .map((row) => `${path}: row ${row}`),
  );
  expect(unknown).toEqual([]);
});
