import { useEffect } from 'react';
import { setMarkers } from '../../../platform/monaco-marks.ts';
import { applyFirst, consumePendingFix } from '../../../platform/fixes.ts';
import { useAnnounce } from '../../../ui/status-store.ts';
import styles from './markers.module.css';
import type { ValidatedText } from './use-judgement.ts';

const classes = {
  sentence: { error: styles.sentenceError ?? '', warning: styles.sentenceWarning ?? '' },
  glyph: { error: styles.glyphError ?? '', warning: styles.glyphWarning ?? '' },
  change: {
    added: styles.added ?? '',
    changed: styles.changed ?? '',
    removed: styles.removed ?? '',
  },
};

/**
 * Marks the issues in the editor, again when an editor mounts with a new model. Then applies the fix with
 * which the record was opened.
 */
export function useMarkers(validation: ValidatedText | undefined, editor: unknown): void {
  useEffect(() => {
    if (validation && editor) setMarkers(validation.modelPath, validation, classes);
  }, [validation, editor]);
  const announce = useAnnounce();
  const path = validation?.modelPath;
  useEffect(() => {
    const pendingFix = path !== undefined && editor ? consumePendingFix(path) : undefined;
    if (!pendingFix || path === undefined) return;
    void applyFirst(path, pendingFix, announce);
  }, [path, editor, announce]);
}
