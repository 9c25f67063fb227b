import { keepPreviousData, useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { useMemo } from 'react';
import { formatQuery } from '../../../core/api/query.ts';
import { AuditActions, AuditPage, AuditVerification, type AuditFilter } from '../../../core/app/audit.ts';
import { useConnection } from '../../platform/connection.ts';
import { useAnswer } from '../../platform/use-answer.ts';
import { collectLines } from '../../platform/collect-lines.ts';
import { fileName, saveFile } from '../../platform/save-file.ts';
import { openTrail, type TrailForm } from '../../platform/transfer.ts';
import { useAnnounce } from '../../ui/status-store.ts';
import { text } from '../../ui/text.ts';

/** Loads the matching entries in pages, latest first. */
export function useAudit(filter: AuditFilter) {
  const { client } = useConnection();
  const query = useInfiniteQuery({
    queryKey: ['audit', filter],
    initialPageParam: 0,
    queryFn: ({ pageParam }) => {
      const pageFilter = { ...filter, ...(pageParam > 0 && { before: pageParam }) };
      return client.ask(AuditPage, 'GET', `/audit?${queryOf(pageFilter)}`);
    },
    getNextPageParam: (page) => page.next,
    // Typing a filter must not empty the list at each key.
    placeholderData: keepPreviousData,
    gcTime: 60_000,
  });
  const entries = useMemo(() => (query.data?.pages ?? []).flatMap((page) => page.entries), [query.data]);
  return { query, entries };
}

/** Counts the matching entries by action, ignoring the action filter. */
export function useActions({ action: _, ...filter }: AuditFilter): AuditActions['actions'] {
  const { data } = useAnswer(`/audit/actions?${queryOf(filter)}`, AuditActions, {
    queryKey: ['audit', 'actions', filter],
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 60_000,
  });
  return data?.actions ?? [];
}

function queryOf(parameters: object): string {
  return formatQuery(Object.entries(parameters).map(([name, value]) => [name, String(value)]));
}

/** Verifies the whole audit log, entry by entry. */
export function useVerify(onVerdict: (verdict: AuditVerification) => void) {
  const { client } = useConnection();
  return useMutation({
    mutationFn: () => client.ask(AuditVerification, 'POST', '/audit/verify', {}),
    onSuccess: onVerdict,
  });
}

/** Downloads the audit log as AuditEvent, or the versions as Provenance, one per line. */
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
