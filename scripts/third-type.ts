/**
 * Adds a third resource type to a copy of the sources, as docs/changing-things.md describes: two files and two lines.
 * Runs the tests that cover all types. `node scripts/third-type.ts` also runs the tests of the page, with a build of
 * the copy.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { applyHunk, parseSections } from './changing-things.ts';
import { copySources, runInCopy } from './source-copy.ts';

/** The name of the type. Titles of tests about it contain the name. */
const addedType = 'Goal';

/** Tests of the specification rows, search, import and export, validation, summaries and suggestions. */
export const files = [
  ...['create', 'read', 'update', 'patch', 'protocol'].map(
    (rows) => `server/conformance/rows-${rows}.test.ts`,
  ),
  'server/conformance/contract.test.ts',
  'server/conformance/conventions.test.ts',
  'server/http/search-naive.test.ts',
  'server/store/sqlite/search-plan.test.ts',
  'server/import/import-types.test.ts',
  'core/types/types.test.ts',
];

/** Results of the tests about the type. */
export interface Trial {
  readonly passedTests: readonly string[];
  readonly failedTests: readonly string[];
  /** Files without a test about the type. */
  readonly untestedFiles: readonly string[];
}

interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

/** Returns the folder of a copy of the sources with a third type. Nothing else is changed there. */
export async function copyWithThirdType(): Promise<string> {
  const folder = copySources('third-type', ['node_modules']);
  const readText = (file: string) => readFileSync(join(folder, file), 'utf8');
  // The file moves up one folder, and so do its imports.
  for (const parent of ['core/types', 'renderer/ui/text/types']) {
    const source = readText(`${parent}/testing/goal.ts`);
    writeFileSync(join(folder, parent, 'goal.ts'), source.replaceAll("from '../", "from './"));
  }
  const section = parseSections(readText('docs/changing-things.md')).find(
    ({ title }) => title === 'A resource type',
  );
  for (const hunk of section?.hunks.filter(({ after }) => after.length > 0) ?? []) {
    const text = applyHunk(readText(hunk.file), hunk);
    if (text === undefined) throw new Error(`${hunk.file} has no such place: ${hunk.place}`);
    writeFileSync(join(folder, hunk.file), text);
  }
  await runInCopy(folder, 'scripts/schema.ts');
  return folder;
}

/** Runs the tests about the type in the copy. */
export async function testThirdType(folder: string): Promise<Trial> {
  const report = join(folder, 'report.json');
  const options = [
    '--project=plain',
    '-t',
    addedType,
    '--maxWorkers=1',
    '--reporter=json',
    `--outputFile=${report}`,
  ];
  await runInCopy(folder, 'node_modules/vitest/vitest.mjs', 'run', ...files, ...options);
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report;
  const allResults = testResults.flatMap(({ assertionResults }) => assertionResults);
  const listNames = (expectedStatus: string) =>
    allResults.filter(({ status }) => status === expectedStatus).map(({ fullName }) => fullName);
  const testedFiles = testResults.filter(({ assertionResults }) =>
    assertionResults.some(({ status }) => status === 'passed' || status === 'failed'),
  );
  return {
    passedTests: listNames('passed'),
    failedTests: listNames('failed'),
    untestedFiles: files.filter(
      (file) => !testedFiles.some(({ name }) => name.replaceAll('\\', '/').endsWith(file)),
    ),
  };
}

if (import.meta.main) {
  const folder = await copyWithThirdType();
  try {
    const { passedTests, failedTests, untestedFiles } = await testThirdType(folder);
    for (const name of failedTests) console.log(`FAILED  ${name}`);
    for (const file of untestedFiles) console.log(`no test about ${addedType}: ${file}`);
    console.log(`${passedTests.length} passed, ${failedTests.length} failed`);
    await runInCopy(folder, 'scripts/build.ts');
    const page = await runInCopy(
      folder,
      'node_modules/@playwright/test/cli.js',
      'test',
      '--config',
      'e2e',
      'types.spec.ts',
      '-g',
      addedType,
      '--project=browser',
      '--workers=1',
    );
    console.log(page === 0 ? 'page passed' : 'FAILED  page');
    process.exitCode = failedTests.length + untestedFiles.length > 0 || page !== 0 ? 1 : 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
