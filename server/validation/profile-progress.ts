import { profileSlot, type ProfileProgress } from '../../core/app/profiles.ts';
import { isProfileRule, profileFolder } from '../../core/fhir/profiles/profile-rules.ts';
import { resourceTypes } from '../../core/fhir/resource.ts';
import type { SharedStore } from '../store/store.ts';

/**
 * Returns how far the records of each type are validated by profiles, with the counts; empty without
 * profiles.
 */
export async function profileProgress(
  store: Pick<SharedStore, 'checks' | 'issueCounts'>,
): Promise<ProfileProgress> {
  const slots = new Map((await store.checks.progress()).map((progressRow) => [progressRow.id, progressRow]));
  const types = resourceTypes.filter((type) => slots.has(profileSlot(type)));
  if (types.length === 0) return [];
  const [{ counts }, violatedCounts] = await Promise.all([
    store.issueCounts({}),
    store.checks.countFlagged(profileFolder),
  ]);
  return types.map((type) => {
    const {
      done = 0,
      total = 0,
      applied = 0,
      skipped: skippedRecords = 0,
    } = slots.get(profileSlot(type)) ?? {};
    const profileCounts = counts.filter(
      (ruleCount) => ruleCount.type === type && isProfileRule(ruleCount.rule),
    );
    const findings = profileCounts.reduce((sum, ruleCount) => sum + ruleCount.findings, 0);
    return {
      type,
      done,
      total,
      applied,
      violated: violatedCounts[type],
      findings,
      undecided: skippedRecords,
    };
  });
}
