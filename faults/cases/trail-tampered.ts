import { cp, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { resealWithout, trailChanges } from '../../server/testing/trail-changes.ts';
import { fillForChanges } from '../../server/testing/trail-sample.ts';
import { runCommand } from '../commands.ts';
import { FaultError, type FaultCase, type FaultContext, type Finding } from '../fault-case.ts';
import { send, startServer } from '../server.ts';

/** Somebody with another program, who puts the triggers back behind each change. */
export const trailTampered: FaultCase = {
  name: 'trail-tampered',
  claim:
    'A change of the trail or of the records by hand is named by verify: an entry edited, removed, swapped; all entries deleted; the trail cut at a seal; a record or its newest version taken away; a text forged with its sums; an older file in place of the newer; a read dropped and all sealed anew, with a key also by who can write the workspace too.',
  long: true,
  beside: true,
  run,
};

async function run(context: FaultContext): Promise<Finding> {
  const { folder, tally } = context;
  await tamperWith(context, join(folder, 'plain'), []);
  await tamperWith(context, join(folder, 'keyed'), ['--audit-key-file', join(folder, 'key')]);
  return { result: 'passed', figures: tally.figures };
}

async function tamperWith({ folder, tally }: FaultContext, data: string, flags: string[]): Promise<void> {
  const keyed = flags.length > 0;
  await mkdir(data, { mode: 0o700 });
  const server = await startServer(data, { flags });
  await fillForChanges(data, (...request) => send(server, ...request));
  await server.stop();
  const verify = (of: string) => runCommand(['verify', '--data', of, ...flags]);
  const untouched = await verify(data);
  if (untouched.code !== 0)
    throw new FaultError(`verify finds something in a store that nobody changed: ${untouched.stdout}`);
  const alone = (of: string) => {
    resealWithout(of);
    return rm(join(of, 'workspace.db'));
  };
  const all = [
    ...trailChanges,
    [
      'a read is dropped and all is sealed anew',
      resealWithout,
      /^(the file lacks|audit entry 1 is in doubt)/m,
    ],
    ...(keyed
      ? [['the same, and the workspace is gone', alone, /^audit entry 1 is in doubt/m] as const]
      : []),
  ] as const;
  for (const [what, change, finding] of all) {
    const changed = join(folder, 'changed');
    await cp(data, changed, { recursive: true });
    await change(changed);
    const { code, stdout } = await verify(changed);
    if (code !== 1 || !finding.test(stdout))
      throw new FaultError(`${what}: verify ends with ${code}: ${stdout}`);
    tally.add(keyed ? 'changes found, seals with a key' : 'changes found, seals without a key', 1);
    await rm(changed, { recursive: true });
  }
}
