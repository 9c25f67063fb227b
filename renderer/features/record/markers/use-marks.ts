import { useEffect } from 'react';
import { showMarks } from '../../../platform/monaco-marks.ts';
import { applyFirst, takeWaitingFix } from '../../../platform/fixes.ts';
import { useAnnounce } from '../../../ui/status-store.ts';
import styles from './markers.module.css';
import type { Judged } from './use-judgement.ts';

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
 * Shows in the editor what was found; again when an editor comes up, for which the model may be new. Then a fix is done
 * with which the record was opened.
 */
export function useMarks(judged: Judged | undefined, editor: unknown): void {
  useEffect(() => {
    if (judged && editor) showMarks(judged.modelPath, judged, classes);
  }, [judged, editor]);
  const announce = useAnnounce();
  const path = judged?.modelPath;
  useEffect(() => {
    const asked = path !== undefined && editor ? takeWaitingFix(path) : undefined;
    if (!asked || path === undefined) return;
    void applyFirst(path, asked, announce);
  }, [path, editor, announce]);
}
