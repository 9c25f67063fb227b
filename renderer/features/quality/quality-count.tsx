import { formatCount } from '../../ui/format.ts';
import { sumOf } from './shares.ts';
import { useQualityOverview } from './use-quality.ts';

/** The number of records with issues, for the left list; nothing where there is none. */
export function QualityCount() {
  const { data } = useQualityOverview({});
  const flagged = data ? sumOf(data.flagged) : 0;
  return flagged === 0 ? null : formatCount(flagged);
}
