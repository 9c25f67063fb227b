import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import type { RecordVersion } from '../../core/api/client.ts';
import type { HeldVersion } from '../../core/api/same-version.ts';
import { isUnsaved, type Version } from '../features/record/record-state.ts';
import type { RecordIo, RecordTarget } from '../features/record/use-record-io.ts';
import type { RecordName } from '../platform/workbench-actions.ts';
import { useAnnounce } from '../ui/status-store.ts';
import { text } from '../ui/text.ts';

const PatchDialog = lazy(async () => {
  const { PatchDialog: component } = await import('../features/patch/patch-dialog.tsx');
  return { default: component };
});
const PatchRecord = lazy(async () => {
  const { PatchRecord: component } = await import('../features/patch/patch-record.tsx');
  return { default: component };
});

function heldOf({ text: json, version, etag }: Version): RecordVersion {
  return { text: json, ...(version !== undefined && { version }), ...(etag !== undefined && { etag }) };
}

interface PatchTabProps {
  readonly record: RecordName;
  /** The record's tab, where it is open. */
  readonly target: RecordTarget | undefined;
  /** The element that the composer opens at. */
  readonly path?: string | undefined;
  readonly io: RecordIo;
  readonly onClose: () => void;
}

/**
 * The patch composer: over a tab's record, whose text its answer becomes, or over one that is read for it. A tab with
 * edits of its own keeps them; it meets the new version when it is saved.
 */
export function PatchTab({ record, target, path, io, onClose }: PatchTabProps) {
  const queries = useQueryClient();
  const announce = useAnnounce();
  const clean = target && !isUnsaved(target.state) ? target : undefined;
  // What the composer begins with stays, whatever becomes of the tab behind it.
  const [base] = useState(clean?.state.base);

  function onApplied(answer: RecordVersion, before: HeldVersion | undefined) {
    if (clean?.state.base) io.takeSaved(clean, answer, before);
    else {
      announce(text.patch.applied(`${record.type}/${record.id}`, answer.version));
      void queries.invalidateQueries({ queryKey: ['search'] });
      void queries.invalidateQueries({ queryKey: ['overview'] });
    }
    onClose();
  }

  const common = { type: record.type, id: record.id, onClose, onApplied };
  return (
    <Suspense>
      {base ? <PatchDialog {...common} path={path} record={heldOf(base)} /> : <PatchRecord {...common} />}
    </Suspense>
  );
}
