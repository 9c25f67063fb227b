import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { mergeOf } from '../features/record/conflict/merge-record.ts';
import { isUnsaved } from '../features/record/record-state.ts';
import type { Version } from '../platform/record-version.ts';
import { PatchDialog } from '../features/patch/patch-dialog.tsx';
import { PatchRecord } from '../features/patch/patch-record.tsx';
import { composable } from '../features/record/review/save-request.ts';
import type { RecordRequests, RecordTarget } from '../features/record/use-record-requests.ts';
import type { RecordName } from '../platform/workbench-actions.ts';
import { useAnnounce } from '../ui/status-store.ts';
import { text } from '../ui/text.ts';

/** Returns the version to patch and the operations of the edit; empty if operations cannot express the edit. */
function getInitialPatch(target: RecordTarget | undefined): {
  readonly base?: Version | undefined;
  readonly operations?: string;
} {
  if (!target) return {};
  const edit = composable(target.state);
  return 'refusal' in edit ? {} : { base: target.state.base, ...edit };
}

/** Returns true if a version includes all changes of a tab's text. */
function includesEdit(newVersion: Version, { base, text: edit }: RecordTarget['state']): boolean {
  const merge = base && mergeOf(base, edit, newVersion);
  return merge?.rows.every(({ side }) => side === 'same' || side === 'theirs') === true;
}

interface PatchTabProps {
  readonly record: RecordName;
  /** Tab of the record, if open. */
  readonly target: RecordTarget | undefined;
  /** Element at which the composer opens. */
  readonly path?: string | undefined;
  readonly requests: RecordRequests;
  readonly onClose: () => void;
}

/**
 * Patch composer for the record of a tab, or for a record that it reads itself.
 * The patched version becomes the text of the tab, unless the tab has other edits.
 * The composer starts with the edits of the tab if replace operations can express them.
 */
export function PatchTab({ record, target, path, requests, onClose }: PatchTabProps) {
  const queries = useQueryClient();
  const announce = useAnnounce();
  const hasEdits = target !== undefined && isUnsaved(target.state);
  // The starting point is fixed: the tab may change while the composer is open.
  const [{ base, operations }] = useState(() => getInitialPatch(target));

  function onApplied(newVersion: Version, previousVersion: Version | undefined) {
    if (target?.state.base && (!hasEdits || includesEdit(newVersion, target.state)))
      requests.applySavedVersion(target, newVersion, previousVersion);
    else {
      // The remaining edits stay, based on the patched version.
      if (target && operations !== undefined)
        target.dispatch({ type: 'restored', text: target.state.text, base: newVersion });
      announce(text.patch.applied(`${record.type}/${record.id}`, newVersion.version));
      void queries.invalidateQueries({ queryKey: ['search'] });
      void queries.invalidateQueries({ queryKey: ['overview'] });
    }
    onClose();
  }

  const commonProps = { type: record.type, id: record.id, onClose, onApplied };
  return base ? (
    <PatchDialog {...commonProps} path={path} operations={operations} record={base} />
  ) : (
    <PatchRecord {...commonProps} />
  );
}
