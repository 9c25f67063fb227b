/**
 * Adds a third resource type to a copy of the sources by one file, core/types/testing/goal.ts, and runs there the tests
 * that are written over all types: `node scripts/third-type.ts` runs those of the page too, on a build of the copy.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { copySources, runInCopy } from './source-copy.ts';

/** The name of the type, which stands in the names of the tests that are about it. */
const added = 'Goal';

/** Rows of the specification, search, import and export, validation, summaries and suggestions. */
export const files = [
  ...['create', 'read', 'update', 'patch', 'protocol'].map(
    (rows) => `server/conformance/rows-${rows}.test.ts`,
  ),
  'server/conformance/contract.test.ts',
  'server/conformance/conventions.test.ts',
  'server/http/search-naive.test.ts',
  'server/store/search-plan.test.ts',
  'server/import/import-types.test.ts',
  'core/types/types.test.ts',
];

/** How the tests about the type ended. */
export interface Trial {
  readonly passed: readonly string[];
  readonly failed: readonly string[];
  /** Files without a test about it. */
  readonly without: readonly string[];
}

interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

/** A copy of the sources that knows a third type. The file's imports follow it to its new place; nothing else is changed. */
export async function copyWithThirdType(): Promise<string> {
  const folder = copySources('third-type', ['node_modules']);
  const definition = readFileSync(join(folder, 'core/types/testing/goal.ts'), 'utf8');
  writeFileSync(
    join(folder, 'core/types/goal.ts'),
    definition.replaceAll("'../definition/", "'./definition/"),
  );
  await runInCopy(folder, 'scripts/schema.ts');
  return folder;
}

/** Runs the tests about the type in the copy. */
export async function tryThirdType(folder: string): Promise<Trial> {
  const report = join(folder, 'report.json');
  const options = [
    '--project=plain',
    '-t',
    added,
    '--maxWorkers=1',
    '--reporter=json',
    `--outputFile=${report}`,
  ];
  await runInCopy(folder, 'node_modules/vitest/vitest.mjs', 'run', ...files, ...options);
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report;
  const all = testResults.flatMap(({ assertionResults }) => assertionResults);
  const named = (wanted: string) =>
    all.filter(({ status }) => status === wanted).map(({ fullName }) => fullName);
  const tried = testResults.filter(({ assertionResults }) =>
    assertionResults.some(({ status }) => status === 'passed' || status === 'failed'),
  );
  return {
    passed: named('passed'),
    failed: named('failed'),
    without: files.filter((file) => !tried.some(({ name }) => name.replaceAll('\\', '/').endsWith(file))),
  };
}

if (import.meta.main) {
  const folder = await copyWithThirdType();
  try {
    const { passed, failed, without } = await tryThirdType(folder);
    for (const name of failed) console.log(`FAILED  ${name}`);
    for (const file of without) console.log(`no test about ${added}: ${file}`);
    console.log(`${passed.length} passed, ${failed.length} failed`);
    await runInCopy(folder, 'scripts/build.ts');
    const page = await runInCopy(
      folder,
      'node_modules/@playwright/test/cli.js',
      ...['test', '--config', 'e2e', 'types.spec.ts', '-g', added, '--project=browser', '--workers=1'],
    );
    console.log(page === 0 ? 'page passed' : 'FAILED  page');
    process.exitCode = failed.length + without.length > 0 || page !== 0 ? 1 : 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
