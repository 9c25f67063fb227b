import { useEffect } from 'react';
import { showMarks } from '../../../platform/monaco-marks.ts';
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

/** Shows in the editor what was found; again when an editor comes up, for which the model may be new. */
export function useMarks(judged: Judged | undefined, editor: unknown): void {
  useEffect(() => {
    if (judged && editor) showMarks(judged.modelPath, judged, classes);
  }, [judged, editor]);
}
