/** Copies of the sources in which mutants are tried: nothing in the project's own folder is ever changed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, rmSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../scripts/bundles.ts';
import { copySources } from '../scripts/source-copy.ts';
import { mutated, patternOf, type Mutant, type NamedTest } from './mutant.ts';

/** How a test ended: `broken` where it did not run, or failed otherwise than by an assertion. */
export type Ending = 'passed' | 'failed' | 'broken';

export interface Tree {
  run(test: NamedTest): Promise<Ending>;
  /** Runs the mutant's test with the mutant in its place, and puts the source back. */
  runWith(mutant: Mutant): Promise<Ending>;
  remove(): Promise<void>;
}

/** Milliseconds for one test; a mutant that makes it hang is not noticed by an assertion. */
const patience = 120_000;
/** Made from packages and sources, and needed as they are. */
const generated = ['core/fhir/validation/generated', 'core/types/generated', 'core/derive/generated'];

export function makeTree(): Tree {
  const folder = copySources('mutants', ['node_modules', 'dist']);
  for (const made of generated)
    cpSync(join(root, made), join(folder, made), { recursive: true, preserveTimestamps: true });

  async function run({ file, ...test }: NamedTest): Promise<Ending> {
    const report = join(folder, 'report.json');
    rmSync(report, { force: true });
    const child = spawn(
      join(root, 'node_modules/.bin/vitest'),
      ['run', file, '-t', patternOf({ file, ...test }), '--reporter=json', `--outputFile=${report}`],
      { cwd: folder, stdio: 'ignore', timeout: patience, detached: true },
    );
    await once(child, 'exit');
    endGroup(child.pid);
    return existsSync(report)
      ? endingOf(JSON.parse(await readFile(report, 'utf8')) as VitestReport)
      : 'broken';
  }

  return {
    run,
    async runWith(mutant) {
      const path = join(folder, mutant.file);
      const source = await readFile(path, 'utf8');
      await writeFile(path, mutated(source, mutant));
      try {
        return await run(mutant.test);
      } finally {
        await writeFile(path, source);
      }
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** The part of vitest's JSON report that is read. */
export interface VitestReport {
  readonly testResults: readonly {
    readonly assertionResults: readonly {
      readonly status: string;
      readonly failureMessages?: readonly string[];
    }[];
  }[];
}

/** Ends what a test has left running: with a mutant in it, a server may not end by itself. */
function endGroup(leader: number | undefined): void {
  try {
    if (leader !== undefined) process.kill(-leader, 'SIGKILL');
  } catch {
    // Nobody was left.
  }
}

/** How failures of `expect` begin; those of `poll` and `rejects` have another name. */
const assertion = /^(?:AssertionError|Error: (?:expected |promise (?:resolved|rejected)))/;

/** What a report says of the tests that ran. */
export function endingOf({ testResults }: VitestReport): Ending {
  const results = testResults.flatMap(({ assertionResults }) => assertionResults);
  const failed = results.filter(({ status }) => status === 'failed');
  const asserted = failed.some(({ failureMessages = [] }) =>
    failureMessages.some((message) => assertion.test(message)),
  );
  if (failed.length > 0) return asserted ? 'failed' : 'broken';
  return results.some(({ status }) => status === 'passed') ? 'passed' : 'broken';
}
