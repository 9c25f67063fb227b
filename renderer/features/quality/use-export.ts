import { useMutation } from '@tanstack/react-query';
import { formatQuery } from '../../../core/api/query.ts';
import { filterPairs, type QualityFilter } from '../../../core/app/quality.ts';
import { useConnection } from '../../platform/connection.ts';
import { saveFile } from '../../platform/save-file.ts';
import { countOf } from '../../ui/format.ts';
import { useAnnounce } from '../../ui/status-store.ts';
import { text } from '../../ui/text.ts';

/** Fetches the worklist of a filter as CSV, and hands it over as a file. */
export function useExport(filter: QualityFilter) {
  const { client } = useConnection();
  const announce = useAnnounce();
  return useMutation({
    mutationFn: () => client.appText(`${client.quality}.csv?${formatQuery(filterPairs(filter))}`),
    onSuccess: (csv) => {
      saveFile(new Blob([csv], { type: 'text/csv' }), 'quality.csv');
      const rows = csv.split('\r\n').length - 2;
      announce(text.quality.exported(countOf(rows, 'finding')));
    },
  });
}
