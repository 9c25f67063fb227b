import { appendFileSync, cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { LaunchError } from '../../bench/launch.ts';
import { root } from '../../scripts/bundles.ts';
import { hashNativeModules } from '../../scripts/native-modules.ts';
import { FaultError, type FaultCase, type FaultContext, type FaultResult } from '../fault-case.ts';
import { builtCommandLine, startServer } from '../server.ts';

/** Native code that somebody put in place of the driver, or next to it. */
export const nativeModule: FaultCase = {
  name: 'native-module',
  claim:
    'A database driver that differs from the one of the build is refused with an error message before it is loaded. A file where the driver would look first is not loaded.',
  parallel: true,
  run,
};

async function run({ folder, tally }: FaultContext): Promise<FaultResult> {
  const installed = join(folder, 'installed');
  const commandLine = install(installed);
  mkdirSync(join(folder, 'data'));
  await expectStart(commandLine, join(folder, 'data'), 'the program as it was built');
  tally.add('starts with the driver of the build', 1);

  const driver = join(installed, 'node_modules/better-sqlite3');
  const foreignModule = join(driver, 'build/Release/better_sqlite3.node');
  mkdirSync(dirname(foreignModule), { recursive: true });
  writeFileSync(foreignModule, 'no code');
  await expectStart(commandLine, join(folder, 'data'), 'a foreign module beside the driver');
  rmSync(join(driver, 'build'), { recursive: true });
  tally.add('starts that left a foreign module alone', 1);

  // The module would still load, because appended bytes do not change the code.
  for (const name of Object.keys(hashNativeModules(root)))
    appendFileSync(join(driver, 'prebuilds', name), '\0');
  await expectRefusal(commandLine, join(folder, 'data'));
  tally.add('changed drivers refused', 1);
  return { result: 'passed', figures: tally.figures };
}

/** Lays out the program as an installation does. Returns its command line. */
function install(installed: string): string {
  cpSync(dirname(builtCommandLine), join(installed, 'dist/server'), { recursive: true });
  symlinkSync(join(root, 'dist/page'), join(installed, 'dist/page'));
  cpSync(join(root, 'package.json'), join(installed, 'package.json'));
  cpSync(join(root, 'node_modules/better-sqlite3'), join(installed, 'node_modules/better-sqlite3'), {
    recursive: true,
    dereference: true,
  });
  return join(installed, 'dist/server/cli.js');
}

async function expectStart(commandLine: string, data: string, description: string): Promise<void> {
  try {
    await (await startServer(data, { commandLine })).stop();
  } catch (error) {
    if (error instanceof LaunchError) throw new FaultError(`${description} did not start: ${error.stderr}`);
    throw error;
  }
}

async function expectRefusal(commandLine: string, data: string): Promise<void> {
  try {
    await (await startServer(data, { commandLine })).kill();
  } catch (error) {
    if (!(error instanceof LaunchError)) throw error;
    const isExplained =
      error.code === 1 && /^\/\S+\.node is not the database driver .+\.$/.test(error.stderr);
    if (!isExplained)
      throw new FaultError(`A changed driver ended the server with ${error.code}: ${error.stderr}`);
    return;
  }
  throw new FaultError('A server started on a changed driver');
}
