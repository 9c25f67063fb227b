/** Checks of a store after a fault. Each throws a FaultError with the difference. */
import { fhirPath } from '../core/api/contract.ts';
import { runCommand } from './commands.ts';
import { FaultError } from './fault-case.ts';
import type { Differences, Ledger } from './ledger.ts';
import { send, type FaultServer } from './server.ts';
import { readStore } from './store-copy.ts';

/** Highest number of latest versions that are read back from a server. */
const maxReadBack = 100;

const sentences: Readonly<Record<keyof Differences, string>> = {
  lostKeys: 'acknowledged and lost',
  changedKeys: 'acknowledged and there with another text',
  refused: 'refused and there',
  strange: 'there and never sent',
};

/**
 * Compares a store with the ledger of its clients, checks that its tables agree, and runs `chartkeeper
 * verify`. No server may use the store, and the folder should be a copy.
 *
 * @returns The number of unanswered writes that were stored.
 */
export async function expectAgreement(folder: string, ledger: Ledger): Promise<number> {
  if (ledger.withoutOutcome > 0)
    throw new FaultError(`${ledger.withoutOutcome} refusals were answered without an OperationOutcome`);
  const unanswered = ledger.open.size;
  const refusedBefore = ledger.refusedMarks.size;
  await expectVerified(folder);
  const { versions: storedVersions, inconsistencies } = readStore(folder);
  if (inconsistencies.length > 0) throw new FaultError(inconsistencies.slice(0, 5).join('; '));
  const differences = formatDifferences(ledger.compare(storedVersions));
  if (differences.length > 0) throw new FaultError(differences.join('; '));
  return unanswered - (ledger.refusedMarks.size - refusedBefore);
}

/** Formats differences as sentences. Returns an empty list if there are none. */
export function formatDifferences(differences: Differences): string[] {
  return Object.entries(sentences).flatMap(([kind, sentence]) => {
    const keys = differences[kind as keyof Differences];
    return keys.length > 0 ? [`${keys.length} ${sentence}, such as ${keys[0] ?? ''}`] : [];
  });
}

/** Reads the latest acknowledged versions back from a server, byte for byte. Returns their number. */
export async function countReadable(server: FaultServer, ledger: Ledger): Promise<number> {
  const latest = [...ledger.acknowledged].slice(-maxReadBack);
  const remaining = [...latest];
  const readRemaining = async () => {
    for (let version = remaining.pop(); version !== undefined; version = remaining.pop()) {
      const [key, text] = version;
      const answer = await send(server, 'GET', `${fhirPath}/${key}`);
      if (answer.status !== 200)
        throw new FaultError(`${key} was acknowledged and is answered ${answer.status}`);
      if (answer.text !== text) throw new FaultError(`${key} is answered with another text`);
    }
  };
  await Promise.all([readRemaining(), readRemaining(), readRemaining(), readRemaining()]);
  return latest.length;
}

/** Asserts that `chartkeeper verify` finds no problem. */
export async function expectVerified(folder: string): Promise<void> {
  const { code, stdout, stderr } = await runCommand(['verify', '--data', folder]);
  if (code !== 0) throw new FaultError(`verify ended with code ${code}: ${stdout}${stderr}`);
}
