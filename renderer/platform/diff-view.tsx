import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useEffectEvent, useId, useMemo } from 'react';
import type { ElementChange } from '../../core/json/diff.ts';
import { RecordSkeleton } from '../ui/record-skeleton.tsx';
import { text } from '../ui/text.ts';
import { loadedMonaco } from './monaco-loader.ts';
import { replaceModelText } from './monaco-text.ts';
import { monacoThemes } from './monaco-themes.ts';
import { editorOptions } from './editor-options.ts';
import { scrollToPointer } from './reveal-pointer.ts';
import frame from '../ui/view.module.css';
import styles from './diff-view.module.css';
import { useDiffEditor } from './use-diff-editor.ts';

const fixedOptions = {
  ...editorOptions,
  originalEditable: false,
  // Tab moves the focus, because the diff is one of several controls.
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
  /** Element to scroll to. A new object scrolls again, even to the same element. */
  readonly revealedLocation?: DiffLocation | undefined;
  /**
   * Receives each edit of the right text. Edits are not passed back in `modified`. Without it, both sides are
   * read-only.
   */
  readonly onEdit?: (text: string) => void;
}

/** An element on one side of a comparison. */
export interface DiffLocation {
  readonly side: 'original' | 'modified';
  /** JSON Pointer (RFC 6901). */
  readonly pointer: string;
}

/** Returns the location of a change: on the right, or on the left if the element was removed. */
export function locateChange({ pointer, after }: ElementChange): DiffLocation {
  return { side: after === undefined ? 'original' : 'modified', pointer };
}

/** Diff of two texts side by side. The right one is editable if `onEdit` is given. Equal regions are folded. */
export function DiffView(props: DiffViewProps) {
  const { original, modified, originalLabel, modifiedLabel, revealedLocation, onEdit } = props;
  const scheme = useComputedColorScheme('light');
  const id = useId().replaceAll(/[^a-z0-9]/gi, '');
  const [originalPath, modifiedPath] = [
    `chartkeeper:/diff/${id}/original.json`,
    `chartkeeper:/diff/${id}/modified.json`,
  ];

  const isEditable = onEdit !== undefined;
  const diffOptions = useMemo(
    () => ({
      ...fixedOptions,
      readOnly: !isEditable,
      domReadOnly: !isEditable,
      originalAriaLabel: originalLabel,
      modifiedAriaLabel: modifiedLabel,
    }),
    [isEditable, originalLabel, modifiedLabel],
  );

  const { host, diffEditor } = useDiffEditor({ original, modified, originalPath, modifiedPath }, diffOptions);
  useEffect(() => {
    if (diffEditor) loadedMonaco()?.editor.setTheme(monacoThemes[scheme]);
  }, [diffEditor, scheme]);

  const reportEdit = useEffectEvent((value: string) => onEdit?.(value));
  useEffect(() => {
    const right = diffEditor?.getModifiedEditor();
    const listener = right?.onDidChangeModelContent(() => reportEdit(right.getValue()));
    return () => listener?.dispose();
  }, [diffEditor]);
  useEffect(() => {
    if (!diffEditor || !revealedLocation) return;
    const { side, pointer } = revealedLocation;
    scrollToPointer(
      side === 'original' ? diffEditor.getOriginalEditor() : diffEditor.getModifiedEditor(),
      pointer,
    );
  }, [diffEditor, revealedLocation]);

  // Changed text is edited in place. A new model would unfold the equal regions.
  useEffect(() => replaceModelText(originalPath, original), [originalPath, original]);
  useEffect(() => replaceModelText(modifiedPath, modified), [modifiedPath, modified]);

  return (
    <section className={frame.column} aria-label={text.review.diff}>
      <div className={styles.head}>
        <span>{originalLabel}</span>
        <span>{modifiedLabel}</span>
      </div>
      <div className={styles.body}>
        {!diffEditor && <RecordSkeleton />}
        <div ref={host} className={styles.editor} hidden={!diffEditor} />
      </div>
    </section>
  );
}
