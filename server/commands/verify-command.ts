/** `chartkeeper verify`: searches a data folder that no server uses for damage. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { formatList, formatPlural } from '../../core/text/language.ts';
import type { SealKey } from '../store/audit-chain.ts';
import { verifyFile, type VerifyCounts } from '../store/sqlite/verify.ts';
import { formatMessage } from '../audit-log-watch.ts';
import { keptOutsideIn } from '../workspace/audit-anchor.ts';

/**
 * Prints a line per finding, the coverage of the audit log and the counts of verified items. Returns true if there are no
 * findings.
 */
export async function runVerify(dataDir: string, key?: SealKey): Promise<boolean> {
  const workspace = join(dataDir, 'workspace.db');
  const anchor = keptOutsideIn(workspace);
  const findings = verifyFile(join(dataDir, 'records.db'), { head: anchor?.head, key });
  let problemCount = 0;
  const reportFinding = (finding: string) => {
    problemCount += 1;
    printLine(finding);
  };
  for (;;) {
    const { done, value } = await findings.next();
    if (!done) {
      reportFinding(`${value.where} ${value.problem}`);
      continue;
    }
    for (const loss of anchor?.losses ?? []) {
      if (!loss.read) reportFinding(`Found on ${loss.noticed}, not acknowledged yet: ${formatMessage(loss)}`);
    }
    if (!anchor?.head && existsSync(workspace)) {
      printLine(
        'The end of the audit log is not recorded outside the records, so truncation can’t be detected.',
      );
    }
    for (const note of listNotes(value)) printLine(note);
    const { records, versions, entries } = value;
    const counts = formatList(
      [
        formatPlural(records, countForms.records),
        formatPlural(versions, countForms.versions),
        formatPlural(entries, countForms.entries),
      ],
      'unit',
    );
    printLine(
      `${counts}: ${problemCount === 0 ? 'no damage' : formatPlural(problemCount, countForms.problems)}.`,
    );
    return problemCount === 0;
  }
}

function listNotes({ unsummed, summedSince, keyedSince }: VerifyCounts): string[] {
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

/** Counts of the last line. Scripts parse its form. */
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

function printLine(line: string): void {
  process.stdout.write(`${line}\n`);
}
