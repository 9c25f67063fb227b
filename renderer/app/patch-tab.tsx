import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { mergeOf } from '../features/record/conflict/merge-record.ts';
import { isUnsaved } from '../features/record/record-state.ts';
import type { Version } from '../platform/record-version.ts';
import { composable } from '../features/record/review/save-request.ts';
import type { RecordRequests, RecordTarget } from '../features/record/use-record-io.ts';
import type { RecordName } from '../platform/workbench-actions.ts';
import { useAnnounce } from '../ui/status-store.ts';
import { text } from '../ui/text.ts';

const PatchDialog = lazy(async () => ({
  default: (await import('../features/patch/patch-dialog.tsx')).PatchDialog,
}));
const PatchRecord = lazy(async () => ({
  default: (await import('../features/patch/patch-record.tsx')).PatchRecord,
}));

/** The version that a tab's record is patched on, with the operations of its edit; nothing where they cannot say it. */
function getInitialPatch(target: RecordTarget | undefined): {
  readonly base?: Version | undefined;
  readonly operations?: string;
} {
  if (!target) return {};
  const edit = composable(target.state);
  return 'refusal' in edit ? {} : { base: target.state.base, ...edit };
}

/** Whether a version holds all that a tab's text changes. */
function includesEdit(newVersion: Version, { base, text: edit }: RecordTarget['state']): boolean {
  const merge = base && mergeOf(base, edit, newVersion);
  return merge?.rows.every(({ by: side }) => side === 'same' || side === 'theirs') === true;
}

interface PatchTabProps {
  readonly record: RecordName;
  /** The record's tab, where it is open. */
  readonly target: RecordTarget | undefined;
  /** The element that the composer opens at. */
  readonly path?: string | undefined;
  readonly io: RecordRequests;
  readonly onClose: () => void;
}

/**
 * The patch composer: over a tab's record, whose text its answer becomes, or over one that is read for it. A tab with
 * edits of its own keeps them; they are what the composer opens with, where replace operations can say them.
 */
export function PatchTab({ record, target, path, io, onClose }: PatchTabProps) {
  const queries = useQueryClient();
  const announce = useAnnounce();
  const hasEdits = target !== undefined && isUnsaved(target.state);
  // What the composer begins with stays, whatever becomes of the tab behind it.
  const [{ base, operations }] = useState(() => getInitialPatch(target));

  function onApplied(newVersion: Version, previousVersion: Version | undefined) {
    if (target?.state.base && (!hasEdits || includesEdit(newVersion, target.state)))
      io.takeSaved(target, newVersion, previousVersion);
    else {
      // What is left of the edit stays, on the version that the patch made.
      if (target && operations !== undefined)
        target.dispatch({ type: 'restored', text: target.state.text, base: newVersion });
      announce(text.patch.applied(`${record.type}/${record.id}`, newVersion.version));
      void queries.invalidateQueries({ queryKey: ['search'] });
      void queries.invalidateQueries({ queryKey: ['overview'] });
    }
    onClose();
  }

  const commonProps = { type: record.type, id: record.id, onClose, onApplied };
  return (
    <Suspense>
      {base ? (
        <PatchDialog {...commonProps} path={path} operations={operations} record={base} />
      ) : (
        <PatchRecord {...commonProps} />
      )}
    </Suspense>
  );
}
