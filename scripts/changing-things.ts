/**
 * Applies the changes of docs/changing-things.md to a copy of the sources one after another, runs the tests
 * that the page names, and reverts each. Finally type-checks all changes together: `npm run test:changes`.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './bundles.ts';
import { copySources, runInCopy } from './source-copy.ts';

/**
 * A replacement in a file: the lines before and after. If no line is replaced, the new lines go to the start of the
 * list or object that `place` names.
 */
export interface Hunk {
  readonly file: string;
  readonly place: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

export interface Change {
  readonly title: string;
  readonly hunks: readonly Hunk[];
  /** Test names for `npm run unit`. */
  readonly tests: readonly string[];
}

/** Returns the changes of the page that name tests of vitest. */
export function listTestedChanges(page: string): Change[] {
  return parseSections(page).filter(({ tests }) => tests.length > 0);
}

/** Returns every section of the page with its differences. */
export function parseSections(page: string): Change[] {
  return page
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const hunks = [...section.matchAll(/^```diff\n(.*?)^```/gms)].flatMap(([, diff = '']) =>
        parseHunks(diff),
      );
      const tests = /^Try it: `npm run unit -- (.+)`/m.exec(section)?.[1]?.split(' ') ?? [];
      const [title = ''] = section.split('\n', 1);
      return { title, hunks, tests };
    });
}

function parseHunks(diff: string): Hunk[] {
  return diff
    .split(/^--- .*\n/m)
    .filter(Boolean)
    .map((part) => {
      const [file = '', place = '', ...lines] = part.trimEnd().split('\n');
      const getLines = (mark: string) =>
        lines.filter((line) => line.startsWith(mark) || line.startsWith(' ')).map((line) => line.slice(1));
      return {
        file: file.replace('+++ b/', ''),
        place: place.replace(/^@@ */, ''),
        before: getLines('-'),
        after: getLines('+'),
      };
    });
}

/** Returns a text with a change applied, or undefined if its position is not found. */
export function applyHunk(text: string, { place, before, after }: Hunk): string | undefined {
  const lines = text.split('\n');
  const index = before.length > 0 ? findLines(lines, before) : findFirstItem(lines, place);
  return index === -1 ? undefined : lines.toSpliced(index, before.length, ...after).join('\n');
}

/** Returns true if a text contains the lines after a change. */
export function isApplied(text: string, { after }: Hunk): boolean {
  return findLines(text.split('\n'), after) !== -1;
}

function findLines(lines: readonly string[], expectedLines: readonly string[]): number {
  return lines.findIndex((_, lineIndex) =>
    expectedLines.every((line, index) => lines[lineIndex + index] === line),
  );
}

/** Returns the index after the line that starts a list or object of this name, or -1. */
function findFirstItem(lines: readonly string[], place: string): number {
  return lines.findIndex((line) => line.includes(place) && /[[{(]$/.test(line)) + 1 || -1;
}

/** Runs the tests of each change in a copy. Reports a line for each, and returns true if all pass. */
export async function testChanges(report: (line: string) => void): Promise<boolean> {
  const folder = copySources('changing', ['node_modules']);
  const toPath = (file: string) => join(folder, file);
  const applyChange = ({ hunks }: Change) => {
    const originalTexts = new Map(hunks.map(({ file }) => [file, readFileSync(toPath(file), 'utf8')]));
    for (const hunk of hunks) {
      const text = readFileSync(toPath(hunk.file), 'utf8');
      writeFileSync(toPath(hunk.file), applyHunk(text, hunk) ?? text);
    }
    return () => {
      for (const [file, text] of originalTexts) writeFileSync(toPath(file), text);
    };
  };
  const changes = listTestedChanges(readFileSync(join(root, 'docs/changing-things.md'), 'utf8'));
  let allPassed = true;
  const reportResult = (description: string, code: number | null) => {
    report(`${code === 0 ? 'ok' : 'FAILED'}  ${description}`);
    allPassed &&= code === 0;
  };
  try {
    for (const change of changes) {
      const undo = applyChange(change);
      await runInCopy(folder, 'scripts/schema.ts');
      const vitest = 'node_modules/vitest/vitest.mjs';
      reportResult(
        change.title,
        await runInCopy(folder, vitest, 'run', '--project=plain', '--maxWorkers=1', ...change.tests),
      );
      undo();
    }
    for (const change of changes) applyChange(change);
    await runInCopy(folder, 'scripts/schema.ts');
    reportResult(
      'types of all',
      await runInCopy(folder, 'node_modules/typescript-7/bin/tsc', '-b', 'renderer', '.'),
    );
    return allPassed;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (import.meta.main) process.exitCode = (await testChanges((line) => console.log(line))) ? 0 : 1;
