import { curlOf } from '../../../core/api/curl.ts';
import { bareIds } from '../../../core/fhir/reference.ts';
import { isResourceType } from '../../../core/fhir/resource.ts';
import { useConnection } from '../../platform/connection.ts';
import { useWorkbenchActions } from '../../platform/workbench-actions.ts';
import { useAnnounce } from '../../ui/status-store.ts';
import { text } from '../../ui/text.ts';
import { addressOf, rowKey, type ResultRow } from './result-rows.ts';
import { useCopy } from '../../ui/use-copy.ts';

/** Each opened record costs a request and a tab. */
const maxOpened = 20;

/** Returns the actions for a row or the selected rows. */
export function useRowActions() {
  const { openRecord, openPatient, search, composePatch } = useWorkbenchActions();
  const { fhirBase } = useConnection();
  const copy = useCopy();
  const announce = useAnnounce();
  return {
    open(rows: readonly ResultRow[]) {
      if (rows.length > maxOpened) announce(text.rowMenu.tooMany(maxOpened));
      else for (const address of rows.flatMap((row) => addressOf(row) ?? [])) openRecord(address);
    },
    copyIds(rows: readonly ResultRow[]) {
      const ids = rows.map(({ id }) => id);
      copy(ids.join('\n'), text.rowMenu.idsCopied(ids.length));
    },
    copyReferences(rows: readonly ResultRow[]) {
      copy(rows.map(rowKey).join('\n'), text.rowMenu.referencesCopied(rows.length));
    },
    copyCurl({ type, id }: ResultRow) {
      if (!isResourceType(type)) return;
      const request = { method: 'GET', url: `${fhirBase}/${type}/${encodeURIComponent(id)}` };
      copy(curlOf({ ...request, headers: { Accept: 'application/json' } }), text.rowMenu.curlCopied);
    },
    openPatient,
    searchPatient({ type, subject }: ResultRow) {
      if (isResourceType(type)) search([['subject', bareIds(subject)]], type);
    },
    composePatch({ type, id }: ResultRow) {
      if (isResourceType(type)) composePatch({ type, id });
    },
  };
}

export type RowActions = ReturnType<typeof useRowActions>;
