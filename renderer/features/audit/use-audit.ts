import { keepPreviousData, useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { useMemo } from 'react';
import { formatQuery } from '../../../core/api/query.ts';
import { AuditActions, AuditPage, AuditVerification, type AuditFilter } from '../../../core/app/audit.ts';
import { useConnection } from '../../platform/connection.ts';
import { useAppQuery } from '../../platform/use-answer.ts';
import { collectLines } from '../../platform/collect-lines.ts';
import { fileName, saveFile } from '../../platform/save-file.ts';
import { openAuditExport, type AuditExportFormat } from '../../platform/transfer.ts';
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
      return client.requestAs(AuditPage, 'GET', `/audit?${formatParameters(pageFilter)}`);
    },
    getNextPageParam: (page) => page.next,
    // Keeps the list while a filter is typed.
    placeholderData: keepPreviousData,
    gcTime: 60_000,
  });
  const entries = useMemo(() => (query.data?.pages ?? []).flatMap((page) => page.entries), [query.data]);
  return { query, entries };
}

/** Counts the matching entries by action, ignoring the action filter. */
export function useActionCounts({ action: _, ...filter }: AuditFilter): AuditActions['actions'] {
  const { data } = useAppQuery(`/audit/actions?${formatParameters(filter)}`, AuditActions, {
    queryKey: ['audit', 'actions', filter],
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 60_000,
  });
  return data?.actions ?? [];
}

function formatParameters(parameters: object): string {
  return formatQuery(Object.entries(parameters).map(([name, value]) => [name, String(value)]));
}

/** Verifies the whole audit log, entry by entry. */
export function useAuditVerification(onVerified: (verification: AuditVerification) => void) {
  const { client } = useConnection();
  return useMutation({
    mutationFn: () => client.requestAs(AuditVerification, 'POST', '/audit/verify', {}),
    onSuccess: onVerified,
  });
}

/** Downloads the audit log as AuditEvent resources, or the versions as Provenance resources, in NDJSON. */
export function useAuditExport() {
  const announce = useAnnounce();
  return useMutation({
    mutationFn: async (format: AuditExportFormat) => collectLines(await openAuditExport(format)),
    onSuccess: ({ blob, lineCount }, format) => {
      const name = fileName(format, 'ndjson');
      saveFile(blob, name);
      announce(text.audit.exported(lineCount, name));
    },
  });
}
