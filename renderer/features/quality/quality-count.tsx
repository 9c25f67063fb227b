import { openFindings } from '../../../core/app/quality.ts';
import { useConnection } from '../../platform/connection.ts';
import { formatCount } from '../../ui/format.ts';
import { sumCounts } from './percentages.ts';
import { useQualityOverview } from './use-quality.ts';

/** Number of records with open findings, for the left panel. Renders nothing for zero. */
export function QualityCount() {
  const { remote } = useConnection();
  const { data } = useQualityOverview(openFindings(remote !== undefined));
  const flaggedCount = data ? sumCounts(data.open ?? data.flagged) : 0;
  return flaggedCount === 0 ? null : formatCount(flaggedCount);
}
