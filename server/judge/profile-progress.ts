import { profileSlot, type ProfileProgress } from '../../core/app/profiles.ts';
import { isProfileRule, profileFolder } from '../../core/fhir/profiles/demands.ts';
import { resourceTypes } from '../../core/fhir/resource.ts';
import type { SharedStore } from '../store/store.ts';

/** How far the records of each type are judged by profiles, and what came of it; nothing where none are. */
export async function profileProgress(
  store: Pick<SharedStore, 'checks' | 'issueCounts'>,
): Promise<ProfileProgress> {
  const slots = new Map((await store.checks.progress()).map((one) => [one.id, one]));
  const types = resourceTypes.filter((type) => slots.has(profileSlot(type)));
  if (types.length === 0) return [];
  const [{ counts }, violated] = await Promise.all([
    store.issueCounts({}),
    store.checks.flaggedBy(profileFolder),
  ]);
  return types.map((type) => {
    const { done = 0, total = 0, applied = 0, skipped = 0 } = slots.get(profileSlot(type)) ?? {};
    const found = counts.filter((one) => one.type === type && isProfileRule(one.rule));
    const findings = found.reduce((sum, one) => sum + one.findings, 0);
    return { type, done, total, applied, violated: violated[type], findings, undecided: skipped };
  });
}
