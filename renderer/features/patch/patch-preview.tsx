import { useDeferredValue, useMemo } from 'react';
import { format } from '../../../core/json/print.ts';
import { DiffView } from '../../platform/diff-view.tsx';
import type { Version } from '../../platform/record-version.ts';
import { text } from '../../ui/text.ts';
import type { ComposedPatch } from './patch-rows.ts';
import styles from './patch.module.css';

interface PatchPreviewProps {
  readonly base: Version | undefined;
  readonly composed: ComposedPatch;
}

/** What the operations make of the record, as a diff that follows them. */
export function PatchPreview({ base, composed }: PatchPreviewProps) {
  const { changes, ready } = composed;
  // Typing goes first, the diff of a large record after it.
  const result = useDeferredValue(composed.result);
  const modified = useMemo(() => (result ? format(result) : ''), [result]);
  const changed = base !== undefined && changes.length > 0;
  return (
    <section className={styles.preview} aria-label={text.patch.effect}>
      {changed ? (
        <DiffView
          key={base.version ?? 0}
          original={base.text}
          modified={modified}
          originalLabel={text.patch.before(base.version)}
          modifiedLabel={text.patch.after}
        />
      ) : (
        <p className={styles.dim}>{wordsFor(base, ready)}</p>
      )}
    </section>
  );
}

function wordsFor(base: Version | undefined, ready: boolean): string {
  if (!base) return text.patch.noPreview;
  return ready ? text.patch.noEffect : text.patch.nothingYet;
}
