/** `chartkeeper verify`: looks for damage in a data folder that no server holds. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { formatList, formatPlural } from '../../core/text/language.ts';
import type { SealKey } from '../store/audit-chain.ts';
import { verifyFile, type VerifyCounts } from '../store/sqlite/verify.ts';
import { formatMessage } from '../audit-log-watch.ts';
import { keptOutsideIn } from '../workspace/audit-anchor.ts';

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
      if (!loss.read) tell(`Found on ${loss.noticed}, not acknowledged yet: ${formatMessage(loss)}`);
    }
    if (!kept?.head && existsSync(workspace)) {
      say('The end of the audit log is not recorded outside the records, so truncation can’t be detected.');
    }
    for (const note of notesOf(value)) say(note);
    const { records, versions, entries } = value;
    const looked = formatList(
      [
        formatPlural(records, countForms.records),
        formatPlural(versions, countForms.versions),
        formatPlural(entries, countForms.entries),
      ],
      'unit',
    );
    say(`${looked}: ${found === 0 ? 'no damage' : formatPlural(found, countForms.problems)}.`);
    return found === 0;
  }
}

function notesOf({ unsummed, summedSince, keyedSince }: VerifyCounts): string[] {
  const time = summedSince === undefined ? undefined : new Date(summedSince).toISOString();
  return [
    ...(unsummed === 0
      ? []
      : [
          time === undefined
            ? formatPlural(unsummed, unsummedForms)
            : formatPlural(unsummed, olderForms, { time }),
        ]),
    ...(keyedSince === undefined ? [] : [`Sealed with a key since audit entry ${keyedSince}.`]),
  ];
}

/** Counts of the last line, whose form scripts read. */
const countForms = {
  records: { one: '{n} record', other: '{n} records' },
  versions: { one: '{n} version', other: '{n} versions' },
  entries: { one: '{n} audit entry', other: '{n} audit entries' },
  problems: { one: '{n} problem', other: '{n} problems' },
};

const unsummedForms = {
  one: '{n} version is older than the text checksums in the audit log (it has none yet).',
  other: '{n} versions are older than the text checksums in the audit log (it has none yet).',
};
const olderForms = {
  one: '{n} version is older than the text checksums in the audit log (since {time}).',
  other: '{n} versions are older than the text checksums in the audit log (since {time}).',
};

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
