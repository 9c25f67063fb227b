import { useMemo } from 'react';
import { ruleOfCheck } from '../../core/app/checks.ts';
import type { Threshold, Thresholds } from '../../core/app/measures.ts';
import { useChecks } from './checks.ts';
import { usePreference } from './preferences.ts';

export interface HeldThresholds {
  readonly of: (check: string) => Threshold;
  /** Whether it stands with a check of one's own, and is changed there. */
  readonly isOwn: (check: string) => boolean;
  readonly set: (check: string, threshold: Threshold) => void;
}

/** From how many records on each check is a warning or a failure: the settings, and what checks of one's own say. */
export function useThresholds(): HeldThresholds {
  const [kept, keep] = usePreference('thresholds');
  const { data: checks } = useChecks();
  return useMemo(() => {
    const own = new Map(
      (checks ?? []).map(({ id, warnAbove, failAbove }) => [
        ruleOfCheck(id),
        { ...(warnAbove && { warnAbove }), ...(failAbove && { failAbove }) },
      ]),
    );
    return {
      of: (check) => own.get(check) ?? kept[check] ?? {},
      isOwn: (check) => own.has(check),
      set: (check, threshold) => keep(withOne(kept, check, threshold)),
    };
  }, [kept, keep, checks]);
}

function withOne(all: Thresholds, check: string, threshold: Threshold): Thresholds {
  const others = Object.fromEntries(Object.entries(all).filter(([name]) => name !== check));
  return threshold.warnAbove || threshold.failAbove ? { ...others, [check]: threshold } : others;
}
