import { useMutation } from '@tanstack/react-query';
import { formatQuery } from '../../../core/api/query.ts';
import { checkedCsv } from '../../../core/app/checked-quality.ts';
import { filterPairs, type QualityFilter } from '../../../core/app/quality.ts';
import { useConnection } from '../../platform/connection.ts';
import { checkOf } from '../../platform/remote-check.ts';
import { saveFile } from '../../platform/save-file.ts';
import { countOf } from '../../ui/format.ts';
import { useAnnounce } from '../../ui/status-store.ts';
import { text } from '../../ui/text.ts';

/** Fetches the worklist of a filter as CSV, and hands it over as a file. */
export function useExport(filter: QualityFilter) {
  const { client, remote } = useConnection();
  const announce = useAnnounce();
  return useMutation({
    mutationFn: async () => {
      if (remote) return checkedCsv(checkOf(client).get().records, filter);
      return client.appText(`/quality.csv?${formatQuery(filterPairs(filter))}`);
    },
    onSuccess: (csv) => {
      saveFile(new Blob([csv], { type: 'text/csv' }), 'quality.csv');
      const rows = csv.split('\r\n').length - 2;
      announce(text.quality.exported(countOf(rows, 'finding')));
    },
  });
}
