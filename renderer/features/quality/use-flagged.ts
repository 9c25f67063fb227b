import type { BulkSource } from '../../../core/app/bulk.ts';
import { checkedFindings } from '../../../core/app/checked-quality.ts';
import type { QualityFilter } from '../../../core/app/quality.ts';
import { useConnection } from '../../platform/connection.ts';
import { checkOf } from '../../platform/remote-check.ts';

type Unlabelled<Source> = Source extends unknown ? Omit<Source, 'label'> : never;

/** The records of a filter for a bulk replace: asked of the local server, or those that the check found. */
export function useFlagged(): (filter: QualityFilter) => Unlabelled<BulkSource> {
  const { client, remote } = useConnection();
  return (filter) => {
    if (!remote) return { kind: 'quality', filter };
    const found = checkedFindings(checkOf(client).get().records, filter);
    const records = new Map(found.map(({ type, id, title }) => [`${type}/${id}`, { type, id, title }]));
    return { kind: 'records', records: [...records.values()] };
  };
}
