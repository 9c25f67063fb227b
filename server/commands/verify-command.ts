/** `chartkeeper verify`: looks for damage in a data folder that no server holds. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { SealKey } from '../store/audit-chain.ts';
import { verifyFile, type VerifyCounts } from '../store/sqlite/verify.ts';
import { sentenceOf } from '../trail-watch.ts';
import { keptOutsideIn } from '../workspace/kept-trail.ts';

/**
 * Prints a line for each finding, then how far the audit trail vouches for the records, and how much was looked at;
 * answers whether nothing was found.
 */
export async function runVerify(dataDir: string, key?: SealKey): Promise<boolean> {
  const workspace = join(dataDir, 'workspace.db');
  const kept = keptOutsideIn(workspace);
  const findings = verifyFile(join(dataDir, 'records.db'), { head: kept?.head, key });
  let found = 0;
  const tell = (finding: string) => {
    found += 1;
    say(finding);
  };
  for (;;) {
    const { done, value } = await findings.next();
    if (!done) {
      tell(`${value.where} ${value.problem}`);
      continue;
    }
    for (const loss of kept?.losses ?? []) {
      if (!loss.read) tell(`Noticed on ${loss.noticed}, not yet read: ${sentenceOf(loss)}`);
    }
    if (!kept?.head && existsSync(workspace)) {
      say('No end of the audit trail is kept outside the records: whether it was cut off is not known.');
    }
    for (const note of notesOf(value)) say(note);
    const { records, versions, entries } = value;
    const looked = `${count(records, 'record')}, ${count(versions, 'version')}, ${count(entries, 'audit entry')}`;
    say(`${looked}: ${found === 0 ? 'no damage' : count(found, 'finding')}.`);
    return found === 0;
  }
}

function notesOf({ unsummed, summedSince, keyedSince }: VerifyCounts): string[] {
  const since =
    summedSince === undefined ? 'it has none yet' : `since ${new Date(summedSince).toISOString()}`;
  return [
    ...(unsummed === 0
      ? []
      : [`${count(unsummed, 'version')} from before the audit trail held sums of texts (${since}).`]),
    ...(keyedSince === undefined ? [] : [`Sealed with a key from audit entry ${keyedSince} on.`]),
  ];
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function count(number: number, what: string): string {
  const plural = what.endsWith('y') ? `${what.slice(0, -1)}ies` : `${what}s`;
  return `${number.toLocaleString('en')} ${number === 1 ? what : plural}`;
}
