import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { cardOf } from '../../core/fhir/card/card.ts';
import { scan } from '../../core/json/scan.ts';
import { SummaryPane } from '../features/record/inspector/summary-pane.tsx';
import { useFollow } from '../features/record/use-follow.ts';
import { useConnection } from '../platform/connection.ts';
import { ReferringRecord } from '../platform/referring-record.ts';
import { useWorkbenchActions, type RecordToOpen } from '../platform/workbench-actions.ts';
import { QueryContent } from '../ui/query-state.tsx';
import { text } from '../ui/text.ts';
import { localDay } from '../ui/time.ts';

interface RowPreviewProps {
  readonly record: RecordToOpen;
  /** A changed version reloads the record. */
  readonly version: string;
}

/** Summary of a search result, as in the inspector, without a tab. */
export function RowPreview({ record, version }: RowPreviewProps) {
  const { type, id } = record;
  const { client, name } = useConnection();
  const query = useQuery({
    queryKey: ['preview', name, type, id, version],
    queryFn: async () => (await client.read(type, id)).text,
    staleTime: 60_000,
    retry: false,
  });
  return (
    <QueryContent query={query} failureTitle={text.preview.failed}>
      {(json) => (
        <ReferringRecord value={`${type}/${id}`}>
          <Summary json={json} record={record} />
        </ReferringRecord>
      )}
    </QueryContent>
  );
}

function Summary({ json, record }: { readonly json: string; readonly record: RecordToOpen }) {
  const { openRecord } = useWorkbenchActions();
  const root = useMemo(() => scan(json).root, [json]);
  const card = useMemo(() => cardOf(root, localDay()), [root]);
  const reveal = (pointer: string) => openRecord({ ...record, pointer });
  const follow = useFollow(() => root, reveal);

  return <SummaryPane card={card} faultLine={undefined} onFollow={follow} onReveal={reveal} />;
}
