/**
 * Tries mutants in the tests of components, which Stryker's runner does not start. The changes are Stryker's own: a page
 * loads the sources as its instrumenter writes them, and switches one change on.
 */
import { readFile } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { Instrumenter } from '@stryker-mutator/instrumenter';
import type { Logger } from '@stryker-mutator/api/logging';
import type { BrowserCommand, TestModule, TestSpecification, Vitest } from 'vitest/node';
import { createVitest } from 'vitest/node';
import type { UserConfig } from 'vite';
import { testBrowser } from '../scripts/browser.ts';
import { componentTests } from '../scripts/testing/component-tests.ts';
import { nameOf } from './sample.ts';

/** Milliseconds for each file of tests, after which a page that does not answer is taken for one that never will. */
const patience = 60_000;

/** What the page asks and tells, by commands of vitest's. */
const told = { active: '', reached: new Map<string, Set<string>>() };

const commands = {
  activeMutant: (() => told.active) satisfies BrowserCommand,
  noteReached: ((_context, file: string, ids: readonly string[]) => {
    told.reached.set(file, new Set(ids));
  }) satisfies BrowserCommand<[file: string, ids: readonly string[]]>,
};

declare module 'vitest/internal/browser' {
  interface BrowserCommands {
    activeMutant: () => Promise<string>;
    noteReached: (file: string, ids: readonly string[]) => Promise<void>;
  }
}

/** How each change ended, by its name in the sample. */
export async function tryInBrowser(places: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (testBrowser() === undefined) throw new Error('there is no Chromium here');
  const { texts, ids } = await instrument(places);
  const ended = new Map<string, string>();
  let tests = await Tests.start(texts);
  try {
    const files = await tests.reached();
    for (const place of places) {
      const id = ids.get(place) ?? '';
      const reaching = files.filter(({ reached }) => reached.has(id)).map(({ path }) => path);
      const status = reaching.length === 0 ? 'NoCoverage' : await tests.runWith(id, reaching);
      ended.set(place, status);
      process.stderr.write(`${status} in ${reaching.length} files: ${place}\n`);
      if (status !== 'Timeout') continue;
      await tests.abandon();
      tests = await Tests.start(texts);
    }
  } finally {
    await tests.abandon();
  }
  return ended;
}

/** The sources with all changes in them, by their paths, and Stryker's numbers of those of the sample. */
async function instrument(places: readonly string[]) {
  const paths = [...new Set(places.map((place) => (JSON.parse(place) as [string])[0]))].map((path) =>
    resolve(path),
  );
  const read = async (name: string) => ({ name, mutate: true, content: await readFile(name, 'utf8') });
  const options = { plugins: null, excludedMutations: [], mutators: [], ignorers: [] };
  const { files, mutants } = await new Instrumenter(silent).instrument(
    await Promise.all(paths.map(read)),
    options,
  );
  const ids = mutants.map((mutant) => [JSON.stringify(nameOf(mutant)), mutant.id] as const);
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
  ...{ trace: ignore, debug: ignore, info: ignore, warn: ignore, error: ignore, fatal: ignore },
};

/** A file of tests, and the changes that it runs through. */
interface Reaching {
  readonly path: string;
  readonly reached: ReadonlySet<string>;
}

/** The tests of components over sources with changes. */
class Tests {
  private readonly vitest: Vitest;
  private readonly all: readonly TestSpecification[];

  private constructor(vitest: Vitest, all: readonly TestSpecification[]) {
    this.vitest = vitest;
    this.all = all;
  }

  static async start(texts: ReadonlyMap<string, string>): Promise<Tests> {
    const { plugins = [], optimizeDeps, test } = componentTests(testBrowser());
    const load = (id: string) => texts.get(id);
    const viteOverrides = {
      plugins: [{ name: 'changes', enforce: 'pre', load }, ...plugins],
      ...(optimizeDeps && { optimizeDeps }),
      server: { watch: null },
      test: {
        ...test,
        globalSetup: ['scripts/test-setup.ts'],
        setupFiles: ['mutants/browser-setup.ts'],
        // What a change left behind in a page is no test's beginning.
        isolate: true,
        // So long as the slowest test takes on a busy machine; what waits in vain for longer was noticed.
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
   * What each file runs through while its tests run, the quickest first.
   *
   * @throws Error where they do not pass without a change.
   */
  async reached(): Promise<readonly Reaching[]> {
    told.active = '';
    const { testModules } = await this.vitest.runTestSpecifications([...this.all]);
    const failed = testModules.filter((one) => !one.ok()).map(({ moduleId }) => relative('.', moduleId));
    if (failed.length > 0) throw new Error(`${failed.join(', ')} fail without a change.`);
    const time = (one: TestModule) => one.diagnostic().duration;
    return [...testModules]
      .sort((a, b) => time(a) - time(b))
      .map(({ moduleId }) => ({ path: moduleId, reached: told.reached.get(moduleId) ?? new Set() }));
  }

  /** How a change ends in some files of tests. */
  async runWith(id: string, paths: readonly string[]): Promise<string> {
    told.active = id;
    const chosen = paths.flatMap((path) => this.all.filter(({ moduleId }) => moduleId === path));
    const { promise: late, resolve: giveUp } = Promise.withResolvers<undefined>();
    const timer = setTimeout(() => giveUp(undefined), patience * (1 + paths.length));
    const ran = await Promise.race([this.vitest.runTestSpecifications(chosen), late]);
    clearTimeout(timer);
    if (!ran) return 'Timeout';
    const { testModules, unhandledErrors } = ran;
    return unhandledErrors.length === 0 && testModules.every((one) => one.ok()) ? 'Survived' : 'Killed';
  }

  /** Ends it, also where a page never answers. */
  async abandon(): Promise<void> {
    const { promise: late, resolve: giveUp } = Promise.withResolvers<undefined>();
    const timer = setTimeout(() => giveUp(undefined), 20_000);
    await Promise.race([this.vitest.close(), late]);
    clearTimeout(timer);
  }
}
