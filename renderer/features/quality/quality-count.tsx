import { openFindings } from '../../../core/app/quality.ts';
import { useConnection } from '../../platform/connection.ts';
import { formatCount } from '../../ui/format.ts';
import { sumOf } from './shares.ts';
import { useQualityOverview } from './use-quality.ts';

/** The number of records with open findings, for the left list; nothing where there is none. */
export function QualityCount() {
  const { remote } = useConnection();
  const { data } = useQualityOverview(openFindings(remote !== undefined));
  const flagged = data ? sumOf(data.open ?? data.flagged) : 0;
  return flagged === 0 ? null : formatCount(flagged);
}
