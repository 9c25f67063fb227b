/**
 * Tries mutants in the component tests, which Stryker's runner does not start. Stryker's instrumenter makes
 * the changes: a page loads the instrumented sources and switches one change on.
 */
import { readFile } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { Instrumenter } from '@stryker-mutator/instrumenter';
import type { Logger } from '@stryker-mutator/api/logging';
import type { BrowserCommand, TestModule, TestSpecification, Vitest } from 'vitest/node';
import { createVitest } from 'vitest/node';
import type { UserConfig } from 'vite';
import { findTestBrowser } from '../scripts/browser.ts';
import { createComponentProject } from '../scripts/testing/component-tests.ts';
import { getMutantName } from './sample.ts';

/** Milliseconds per test file until a silent page counts as timed out. */
const timeoutPerFileMs = 60_000;

/** State that the page reads and writes, by commands of vitest. */
const pageState = { active: '', coveredIds: new Map<string, Set<string>>() };

const commands = {
  activeMutant: (() => pageState.active) satisfies BrowserCommand,
  noteReached: ((_context, file: string, ids: readonly string[]) => {
    pageState.coveredIds.set(file, new Set(ids));
  }) satisfies BrowserCommand<[file: string, ids: readonly string[]]>,
};

declare module 'vitest/internal/browser' {
  interface BrowserCommands {
    activeMutant: () => Promise<string>;
    noteReached: (file: string, ids: readonly string[]) => Promise<void>;
  }
}

/** Returns how each change ended, by its name in the sample. */
export async function tryInBrowser(places: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (findTestBrowser() === undefined) throw new Error('there is no Chromium here');
  const { texts, ids } = await instrument(places);
  const statusByPlace = new Map<string, string>();
  let tests = await Tests.start(texts);
  try {
    const files = await tests.measureCoverage();
    for (const place of places) {
      const id = ids.get(place) ?? '';
      const coveringFiles = files.filter(({ coveredIds }) => coveredIds.has(id)).map(({ path }) => path);
      const status = coveringFiles.length === 0 ? 'NoCoverage' : await tests.runWith(id, coveringFiles);
      statusByPlace.set(place, status);
      process.stderr.write(`${status} in ${coveringFiles.length} files: ${place}\n`);
      if (status !== 'Timeout') continue;
      await tests.abandon();
      tests = await Tests.start(texts);
    }
  } finally {
    await tests.abandon();
  }
  return statusByPlace;
}

/** Returns the instrumented sources by path, and Stryker's ids of the sampled mutants by name. */
async function instrument(places: readonly string[]) {
  const paths = [...new Set(places.map((place) => (JSON.parse(place) as [string])[0]))].map((path) =>
    resolve(path),
  );
  const readSource = async (name: string) => ({ name, mutate: true, content: await readFile(name, 'utf8') });
  const options = { plugins: null, excludedMutations: [], mutators: [], ignorers: [] };
  const { files, mutants } = await new Instrumenter(silent).instrument(
    await Promise.all(paths.map(readSource)),
    options,
  );
  const ids = mutants.map((mutant) => [JSON.stringify(getMutantName(mutant)), mutant.id] as const);
  return {
    texts: new Map(files.map(({ name, content }) => [name, content])),
    ids: new Map(ids),
  };
}

const ignore = (): void => undefined;
const silent: Logger = {
  isTraceEnabled: () => false,
  isDebugEnabled: () => false,
  isInfoEnabled: () => false,
  isWarnEnabled: () => false,
  isErrorEnabled: () => false,
  isFatalEnabled: () => false,
  trace: ignore,
  debug: ignore,
  info: ignore,
  warn: ignore,
  error: ignore,
  fatal: ignore,
};

/** A test file and the changes that it covers. */
interface CoveringFile {
  readonly path: string;
  readonly coveredIds: ReadonlySet<string>;
}

/** The component tests over instrumented sources. */
class Tests {
  private readonly vitest: Vitest;
  private readonly specifications: readonly TestSpecification[];

  private constructor(vitest: Vitest, specifications: readonly TestSpecification[]) {
    this.vitest = vitest;
    this.specifications = specifications;
  }

  static async start(texts: ReadonlyMap<string, string>): Promise<Tests> {
    const { plugins = [], optimizeDeps, test } = createComponentProject(findTestBrowser());
    const load = (id: string) => texts.get(id);
    const viteOverrides = {
      plugins: [{ name: 'changes', enforce: 'pre', load }, ...plugins],
      ...(optimizeDeps && { optimizeDeps }),
      server: { watch: null },
      test: {
        ...test,
        globalSetup: ['scripts/test-setup.ts'],
        setupFiles: ['mutants/browser-setup.ts'],
        // Each test file needs a new page: a change may leave state behind.
        isolate: true,
        // As long as the slowest test takes on a busy machine. A longer wait counts as noticed.
        testTimeout: 30_000,
        expect: { poll: { timeout: 10_000 } },
        browser: { ...test?.browser, commands: { ...test?.browser?.commands, ...commands } },
      },
    };
    const vitest = await createVitest(
      { config: false, watch: false, reporters: [{}], bail: 1 },
      viteOverrides as UserConfig,
    );
    return new Tests(vitest, await vitest.globTestSpecifications());
  }

  /**
   * Returns the changes that each test file covers, the quickest file first.
   *
   * @throws Error if the tests fail without a change.
   */
  async measureCoverage(): Promise<readonly CoveringFile[]> {
    pageState.active = '';
    const { testModules } = await this.vitest.runTestSpecifications([...this.specifications]);
    const failedModules = testModules
      .filter((testModule) => !testModule.ok())
      .map(({ moduleId }) => relative('.', moduleId));
    if (failedModules.length > 0) throw new Error(`${failedModules.join(', ')} fail without a change.`);
    const getDuration = (testModule: TestModule) => testModule.diagnostic().duration;
    return [...testModules]
      .sort((a, b) => getDuration(a) - getDuration(b))
      .map(({ moduleId }) => ({
        path: moduleId,
        coveredIds: pageState.coveredIds.get(moduleId) ?? new Set(),
      }));
  }

  /** Returns how a change ends in some test files. */
  async runWith(id: string, paths: readonly string[]): Promise<string> {
    pageState.active = id;
    const specifications = paths.flatMap((path) =>
      this.specifications.filter(({ moduleId }) => moduleId === path),
    );
    const { promise: timedOut, resolve: giveUp } = Promise.withResolvers<undefined>();
    const timer = setTimeout(() => giveUp(undefined), timeoutPerFileMs * (1 + paths.length));
    const result = await Promise.race([this.vitest.runTestSpecifications(specifications), timedOut]);
    clearTimeout(timer);
    if (!result) return 'Timeout';
    const { testModules, unhandledErrors } = result;
    return unhandledErrors.length === 0 && testModules.every((testModule) => testModule.ok())
      ? 'Survived'
      : 'Killed';
  }

  /** Closes vitest, even if a page never responds. */
  async abandon(): Promise<void> {
    const { promise: timedOut, resolve: giveUp } = Promise.withResolvers<undefined>();
    const timer = setTimeout(() => giveUp(undefined), 20_000);
    await Promise.race([this.vitest.close(), timedOut]);
    clearTimeout(timer);
  }
}
