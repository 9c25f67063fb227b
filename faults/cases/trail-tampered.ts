import { cp, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { resealWithout, trailChanges } from '../../server/testing/trail-changes.ts';
import { fillForChanges } from '../../server/testing/trail-sample.ts';
import { runCommand } from '../commands.ts';
import { FaultError, type FaultCase, type FaultContext, type FaultResult } from '../fault-case.ts';
import { send, startServer } from '../server.ts';

/** Somebody changes the database with another program and restores the triggers after each change. */
export const trailTampered: FaultCase = {
  name: 'trail-tampered',
  claim:
    'Verify detects manual changes of the audit log or the records: an entry edited, removed or swapped; all entries deleted; the log truncated at a seal; a record or its latest version removed; a text forged with its checksums; an older file in place of the newer; a read dropped and everything resealed, and with a key even if the workspace is changed too.',
  long: true,
  parallel: true,
  run,
};

async function run(context: FaultContext): Promise<FaultResult> {
  const { folder, tally } = context;
  await tamperWith(context, join(folder, 'plain'), []);
  await tamperWith(context, join(folder, 'keyed'), ['--audit-key-file', join(folder, 'key')]);
  return { result: 'passed', figures: tally.figures };
}

async function tamperWith({ folder, tally }: FaultContext, data: string, flags: string[]): Promise<void> {
  const hasKey = flags.length > 0;
  await mkdir(data, { mode: 0o700 });
  const server = await startServer(data, { flags });
  await fillForChanges(data, (...request) => send(server, ...request));
  await server.stop();
  const verify = (dataFolder: string) => runCommand(['verify', '--data', dataFolder, ...flags]);
  const originalResult = await verify(data);
  if (originalResult.code !== 0)
    throw new FaultError(`verify finds something in a store that nobody changed: ${originalResult.stdout}`);
  const resealAndRemoveWorkspace = (dataFolder: string) => {
    resealWithout(dataFolder);
    return rm(join(dataFolder, 'workspace.db'));
  };
  const changes = [
    ...trailChanges,
    [
      'a read is dropped and all is sealed anew',
      resealWithout,
      /^(the file lacks|audit entry 1 is in doubt)/m,
    ],
    ...(hasKey
      ? [
          [
            'the same, and the workspace is gone',
            resealAndRemoveWorkspace,
            /^audit entry 1 is in doubt/m,
          ] as const,
        ]
      : []),
  ] as const;
  for (const [description, applyChange, finding] of changes) {
    const changedFolder = join(folder, 'changed');
    await cp(data, changedFolder, { recursive: true });
    await applyChange(changedFolder);
    const { code, stdout } = await verify(changedFolder);
    if (code !== 1 || !finding.test(stdout))
      throw new FaultError(`${description}: verify ends with ${code}: ${stdout}`);
    tally.add(hasKey ? 'changes found, seals with a key' : 'changes found, seals without a key', 1);
    await rm(changedFolder, { recursive: true });
  }
}
