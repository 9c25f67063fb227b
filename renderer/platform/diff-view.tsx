import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useEffectEvent, useId, useMemo } from 'react';
import type { Change } from '../../core/json/diff.ts';
import { RecordSkeleton } from '../ui/record-skeleton.tsx';
import { text } from '../ui/text.ts';
import { loadedMonaco } from './monaco-loader.ts';
import { editModelText } from './monaco-text.ts';
import { monacoThemes } from './monaco-themes.ts';
import { editorOptions } from './editor-options.ts';
import { showPointer } from './reveal-pointer.ts';
import frame from '../ui/view.module.css';
import styles from './diff-view.module.css';
import { useDiffEditor } from './use-diff-editor.ts';

const options = {
  ...editorOptions,
  originalEditable: false,
  // Beside another text a key may not be caught in one.
  tabFocusMode: true,
  lineNumbersMinChars: 3,
  renderOverviewRuler: false,
  renderMarginRevertIcon: false,
  renderGutterMenu: false,
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
  /** The element that is scrolled to, each time that another object is given. */
  readonly shown?: DiffPlace | undefined;
  /** Takes each text that comes to stand on the right, which is not given back in `modified`; without it both sides are read only. */
  readonly onEdit?: (text: string) => void;
}

/** An element of a comparison. */
export interface DiffPlace {
  readonly side: 'original' | 'modified';
  /** JSON Pointer (RFC 6901). */
  readonly pointer: string;
}

/** Returns where a change is shown: on the right, or on the left where the element is gone. */
export function placeOfChange({ pointer, after }: Change): DiffPlace {
  return { side: after === undefined ? 'original' : 'modified', pointer };
}

/** Two texts side by side, the right one editable where that is asked for; what is equal is folded. */
export function DiffView(props: DiffViewProps) {
  const { original, modified, originalLabel, modifiedLabel, shown, onEdit } = props;
  const scheme = useComputedColorScheme('light');
  const id = useId().replaceAll(/[^a-z0-9]/gi, '');
  const [originalPath, modifiedPath] = [
    `chartkeeper:/diff/${id}/theirs.json`,
    `chartkeeper:/diff/${id}/mine.json`,
  ];

  const editable = onEdit !== undefined;
  const named = useMemo(
    () => ({
      ...options,
      readOnly: !editable,
      domReadOnly: !editable,
      originalAriaLabel: originalLabel,
      modifiedAriaLabel: modifiedLabel,
    }),
    [editable, originalLabel, modifiedLabel],
  );

  const { host, diff } = useDiffEditor({ original, modified, originalPath, modifiedPath }, named);
  useEffect(() => {
    if (diff) loadedMonaco()?.editor.setTheme(monacoThemes[scheme]);
  }, [diff, scheme]);

  const edited = useEffectEvent((value: string) => onEdit?.(value));
  useEffect(() => {
    const right = diff?.getModifiedEditor();
    const typed = right?.onDidChangeModelContent(() => edited(right.getValue()));
    return () => typed?.dispose();
  }, [diff]);
  useEffect(() => {
    if (!diff || !shown) return;
    const { side, pointer } = shown;
    showPointer(side === 'original' ? diff.getOriginalEditor() : diff.getModifiedEditor(), pointer);
  }, [diff, shown]);

  // A text that changes is edited in place: taken as a new one, what is folded would open.
  useEffect(() => editModelText(originalPath, original), [originalPath, original]);
  useEffect(() => editModelText(modifiedPath, modified), [modifiedPath, modified]);

  return (
    <section className={frame.column} aria-label={text.review.diff}>
      <div className={styles.head}>
        <span>{originalLabel}</span>
        <span>{modifiedLabel}</span>
      </div>
      <div className={styles.body}>
        {!diff && <RecordSkeleton />}
        <div ref={host} className={styles.editor} hidden={!diff} />
      </div>
    </section>
  );
}
