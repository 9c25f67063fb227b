import { useMemo } from 'react';
import { ruleOfCheck } from '../../core/app/checks.ts';
import type { Threshold, Thresholds } from '../../core/app/measures.ts';
import { useChecks } from './checks.ts';
import { usePreference } from './preferences.ts';

export interface StoredThresholds {
  readonly get: (check: string) => Threshold;
  /** True if a custom check defines the threshold and it is changed there. */
  readonly isOwn: (check: string) => boolean;
  readonly set: (check: string, threshold: Threshold) => void;
}

/**
 * Returns the number of records at which each check is a warning or a failure: from the settings and the
 * custom checks.
 */
export function useThresholds(): StoredThresholds {
  const [thresholds, storeThresholds] = usePreference('thresholds');
  const { data: checks } = useChecks();
  return useMemo(() => {
    const ownByRule = new Map(
      (checks ?? []).map(({ id, warnAbove, failAbove }) => [
        ruleOfCheck(id),
        { ...(warnAbove && { warnAbove }), ...(failAbove && { failAbove }) },
      ]),
    );
    return {
      get: (check) => ownByRule.get(check) ?? thresholds[check] ?? {},
      isOwn: (check) => ownByRule.has(check),
      set: (check, threshold) => storeThresholds(withThreshold(thresholds, check, threshold)),
    };
  }, [thresholds, storeThresholds, checks]);
}

function withThreshold(thresholds: Thresholds, check: string, threshold: Threshold): Thresholds {
  const remainingThresholds = Object.fromEntries(
    Object.entries(thresholds).filter(([name]) => name !== check),
  );
  return threshold.warnAbove || threshold.failAbove
    ? { ...remainingThresholds, [check]: threshold }
    : remainingThresholds;
}
