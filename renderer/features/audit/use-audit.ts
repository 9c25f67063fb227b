import { keepPreviousData, useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { useMemo } from 'react';
import { formatQuery } from '../../../core/api/query.ts';
import { AuditActions, AuditPage, AuditVerdict, type AuditFilter } from '../../../core/app/audit.ts';
import { useConnection } from '../../platform/connection.ts';
import { useAnswer } from '../../platform/use-answer.ts';
import { collectLines } from '../../platform/collect-lines.ts';
import { fileName, saveFile } from '../../platform/save-file.ts';
import { openTrail, type TrailForm } from '../../platform/transfer.ts';
import { useAnnounce } from '../../ui/status-store.ts';
import { text } from '../../ui/text.ts';

/** The entries that match, page by page, newest first. */
export function useAudit(filter: AuditFilter) {
  const { client } = useConnection();
  const query = useInfiniteQuery({
    queryKey: ['audit', filter],
    initialPageParam: 0,
    queryFn: ({ pageParam }) => {
      const asked = { ...filter, ...(pageParam > 0 && { before: pageParam }) };
      return client.ask(AuditPage, 'GET', `/audit?${queryOf(asked)}`);
    },
    getNextPageParam: (page) => page.next,
    // A filter that is being typed must not empty the list at each key.
    placeholderData: keepPreviousData,
    gcTime: 60_000,
  });
  const entries = useMemo(() => (query.data?.pages ?? []).flatMap((page) => page.entries), [query.data]);
  return { query, entries };
}

/** How many entries each action has among those that match but for their action. */
export function useActions({ action: _, ...filter }: AuditFilter): AuditActions['actions'] {
  const { data } = useAnswer(`/audit/actions?${queryOf(filter)}`, AuditActions, {
    queryKey: ['audit', 'actions', filter],
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 60_000,
  });
  return data?.actions ?? [];
}

function queryOf(asked: object): string {
  return formatQuery(Object.entries(asked).map(([name, value]) => [name, String(value)]));
}

/** Reads the whole trail again, link by link. */
export function useVerify(onVerdict: (verdict: AuditVerdict) => void) {
  const { client } = useConnection();
  return useMutation({
    mutationFn: () => client.ask(AuditVerdict, 'POST', '/audit/verify', {}),
    onSuccess: onVerdict,
  });
}

/** Downloads the trail as AuditEvent, or the versions as Provenance, one a line. */
export function useExport() {
  const announce = useAnnounce();
  return useMutation({
    mutationFn: async (form: TrailForm) => collectLines(await openTrail(form)),
    onSuccess: ({ blob, lines }, form) => {
      const name = fileName(form, 'ndjson');
      saveFile(blob, name);
      announce(text.audit.exported(lines, name));
    },
  });
}
