import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useId, useMemo } from 'react';
import { RecordSkeleton } from '../ui/record-skeleton.tsx';
import { text } from '../ui/text.ts';
import { loadedMonaco } from './monaco-loader.ts';
import { replaceModelText } from './monaco-text.ts';
import { monacoThemes } from './monaco-themes.ts';
import { editorOptions } from './editor-options.ts';
import styles from './diff-view.module.css';
import { useDiffEditor } from './use-diff-editor.ts';

const options = {
  ...editorOptions,
  readOnly: true,
  domReadOnly: true,
  originalEditable: false,
  renderOverviewRuler: false,
  renderMarginRevertIcon: false,
  renderSideBySide: true,
  useInlineViewWhenSpaceIsLimited: false,
  diffWordWrap: 'on',
  hideUnchangedRegions: { enabled: true, contextLineCount: 4, minimumLineCount: 6 },
  ignoreTrimWhitespace: false,
} as const;

interface DiffViewProps {
  readonly original: string;
  readonly modified: string;
  readonly originalLabel: string;
  readonly modifiedLabel: string;
}

/** Two texts side by side, read only; what is equal is folded. */
export function DiffView({ original, modified, originalLabel, modifiedLabel }: DiffViewProps) {
  const scheme = useComputedColorScheme('light');
  const id = useId().replaceAll(/[^a-z0-9]/gi, '');
  const [originalPath, modifiedPath] = [
    `chartkeeper:/diff/${id}/theirs.json`,
    `chartkeeper:/diff/${id}/mine.json`,
  ];

  const named = useMemo(
    () => ({ ...options, originalAriaLabel: originalLabel, modifiedAriaLabel: modifiedLabel }),
    [originalLabel, modifiedLabel],
  );

  const { host, ready } = useDiffEditor({ original, modified, originalPath, modifiedPath }, named);
  useEffect(() => {
    if (ready) loadedMonaco()?.editor.setTheme(monacoThemes[scheme]);
  }, [ready, scheme]);

  // A text that changes is edited in place: taken as a new one, what is folded would open.
  useEffect(() => replaceModelText(originalPath, original), [originalPath, original]);
  useEffect(() => replaceModelText(modifiedPath, modified), [modifiedPath, modified]);

  return (
    <section className={styles.diff} aria-label={text.review.diff}>
      <div className={styles.head}>
        <span>{originalLabel}</span>
        <span>{modifiedLabel}</span>
      </div>
      <div className={styles.body}>
        {!ready && <RecordSkeleton />}
        <div ref={host} className={styles.editor} hidden={!ready} />
      </div>
    </section>
  );
}
