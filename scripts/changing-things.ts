/**
 * Makes the changes of docs/changing-things.md in a copy of the sources, one after the other, runs the tests that the page
 * names for each, and takes it out again; then all together are type-checked: `npm run test:changes`.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './bundles.ts';
import { copySources, runInCopy } from './source-copy.ts';

/** One place of a file: what stands there, what is to stand there, and the name behind which lines go that replace none. */
export interface Hunk {
  readonly file: string;
  readonly place: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

export interface Change {
  readonly title: string;
  readonly hunks: readonly Hunk[];
  /** What the tests are named by, as `npm run unit` takes it. */
  readonly tests: readonly string[];
}

/** The changes of the page that have a difference of lines. */
export function changesOf(page: string): Change[] {
  return page
    .split(/^## /m)
    .slice(1)
    .flatMap((section) => {
      const hunks = [...section.matchAll(/^```diff\n(.*?)^```/gms)].flatMap(([, diff = '']) => hunksOf(diff));
      const tests = /^Try it: `npm run unit -- (.+)`/m.exec(section)?.[1]?.split(' ') ?? [];
      const [title = ''] = section.split('\n', 1);
      return tests.length > 0 ? [{ title, hunks, tests }] : [];
    });
}

function hunksOf(diff: string): Hunk[] {
  return diff
    .split(/^--- .*\n/m)
    .filter(Boolean)
    .map((part) => {
      const [file = '', place = '', ...lines] = part.trimEnd().split('\n');
      const side = (mark: string) =>
        lines.filter((line) => line.startsWith(mark) || line.startsWith(' ')).map((line) => line.slice(1));
      return {
        ...{ file: file.replace('+++ b/', ''), place: place.replace(/^@@ */, '') },
        ...{ before: side('-'), after: side('+') },
      };
    });
}

/** A text with a change made; undefined where its place is not found. */
export function changed(text: string, { place, before, after }: Hunk): string | undefined {
  const lines = text.split('\n');
  const at = before.length > 0 ? placeOf(lines, before) : behind(lines, place);
  return at === -1 ? undefined : lines.toSpliced(at, before.length, ...after).join('\n');
}

/** Whether a text holds what a change brings. */
export function holds(text: string, { after }: Hunk): boolean {
  return placeOf(text.split('\n'), after) !== -1;
}

function placeOf(lines: readonly string[], wanted: readonly string[]): number {
  return lines.findIndex((_, at) => wanted.every((line, index) => lines[at + index] === line));
}

/** The line behind that on which a list or an object of such a name begins; -1 where there is none. */
function behind(lines: readonly string[], place: string): number {
  return lines.findIndex((line) => line.includes(place) && /[[{(]$/.test(line)) + 1 || -1;
}

/** How the tests of each change ended in a copy. */
export async function walk(told: (line: string) => void): Promise<boolean> {
  const folder = copySources('changing', ['node_modules']);
  const whole = (file: string) => join(folder, file);
  const change = ({ hunks }: Change) => {
    const kept = new Map(hunks.map(({ file }) => [file, readFileSync(whole(file), 'utf8')]));
    for (const hunk of hunks) {
      const text = readFileSync(whole(hunk.file), 'utf8');
      writeFileSync(whole(hunk.file), changed(text, hunk) ?? text);
    }
    return () => {
      for (const [file, text] of kept) writeFileSync(whole(file), text);
    };
  };
  const changes = changesOf(readFileSync(join(root, 'docs/changing-things.md'), 'utf8'));
  let good = true;
  const ended = (what: string, code: number | null) => {
    told(`${code === 0 ? 'ok' : 'FAILED'}  ${what}`);
    good &&= code === 0;
  };
  try {
    for (const one of changes) {
      const undo = change(one);
      await runInCopy(folder, 'scripts/schema.ts');
      const vitest = 'node_modules/vitest/vitest.mjs';
      ended(
        one.title,
        await runInCopy(folder, vitest, 'run', '--project=plain', '--maxWorkers=1', ...one.tests),
      );
      undo();
    }
    for (const one of changes) change(one);
    await runInCopy(folder, 'scripts/schema.ts');
    ended(
      'types of all',
      await runInCopy(folder, 'node_modules/typescript-7/bin/tsc', '-b', 'renderer', '.'),
    );
    return good;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (import.meta.main) process.exitCode = (await walk((line) => console.log(line))) ? 0 : 1;
