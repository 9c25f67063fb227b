/** What must hold of a store after whatever was done to it; a FaultError says what does not. */
import { fhirPath } from '../core/api/contract.ts';
import { runCommand } from './commands.ts';
import { FaultError } from './fault-case.ts';
import type { Differences, Ledger } from './ledger.ts';
import { send, type FaultServer } from './server.ts';
import { readStore } from './store-copy.ts';

/** Versions that are read back from a server, the newest. */
const readBack = 100;

const sentences: Readonly<Record<keyof Differences, string>> = {
  lost: 'acknowledged and lost',
  changed: 'acknowledged and there with another text',
  refused: 'refused and there',
  strange: 'there and never sent',
};

/**
 * Compares a store that no server holds with what its clients know, looks whether its tables agree, and has the
 * product's own `verify` look too. Answers how many unanswered writes were there. The folder should be a copy.
 */
export async function expectAgreement(folder: string, ledger: Ledger): Promise<number> {
  if (ledger.untold > 0)
    throw new FaultError(`${ledger.untold} refusals were answered without an OperationOutcome`);
  const unanswered = ledger.open.size;
  const gone = ledger.refused.size;
  await expectVerified(folder);
  const { held, disagreements } = readStore(folder);
  if (disagreements.length > 0) throw new FaultError(disagreements.slice(0, 5).join('; '));
  const found = differencesIn(ledger.compare(held));
  if (found.length > 0) throw new FaultError(found.join('; '));
  return unanswered - (ledger.refused.size - gone);
}

/** In sentences; none where there are no differences. */
export function differencesIn(differences: Differences): string[] {
  return Object.entries(sentences).flatMap(([kind, sentence]) => {
    const keys = differences[kind as keyof Differences];
    return keys.length > 0 ? [`${keys.length} ${sentence}, such as ${keys[0] ?? ''}`] : [];
  });
}

/** Reads the newest acknowledged versions back from a server, byte for byte; answers how many. */
export async function expectAnswers(server: FaultServer, ledger: Ledger): Promise<number> {
  const newest = [...ledger.acknowledged].slice(-readBack);
  const left = [...newest];
  const read = async () => {
    for (let one = left.pop(); one !== undefined; one = left.pop()) {
      const [key, text] = one;
      const answer = await send(server, 'GET', `${fhirPath}/${key}`);
      if (answer.status !== 200)
        throw new FaultError(`${key} was acknowledged and is answered ${answer.status}`);
      if (answer.text !== text) throw new FaultError(`${key} is answered with another text`);
    }
  };
  await Promise.all([read(), read(), read(), read()]);
  return newest.length;
}

/** `chartkeeper verify` finds nothing wrong. */
export async function expectVerified(folder: string): Promise<void> {
  const { code, stdout, stderr } = await runCommand(['verify', '--data', folder]);
  if (code !== 0) throw new FaultError(`verify ended with code ${code}: ${stdout}${stderr}`);
}
