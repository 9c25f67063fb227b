import { useComputedColorScheme } from '@mantine/core';
import { lazy, Suspense, useEffect, useId } from 'react';
import { disposeModel, loadMonaco } from '../../platform/monaco-loader.ts';
import { monacoThemes } from '../../platform/monaco-themes.ts';
import { text } from '../../ui/text.ts';
import { editorOptions } from './editor-options.ts';
import { RecordSkeleton } from './record-skeleton.tsx';
import styles from './record.module.css';

const DiffEditor = lazy(async () => ({ default: (await loadMonaco()).DiffEditor }));

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
}

/** Two texts side by side, read only; what is equal is folded. */
export function DiffView({ original, modified, originalLabel }: DiffViewProps) {
  const scheme = useComputedColorScheme('light');
  const id = useId().replaceAll(/[^a-z0-9]/gi, '');
  const [originalPath, modifiedPath] = [
    `chartkeeper:/diff/${id}/theirs.json`,
    `chartkeeper:/diff/${id}/mine.json`,
  ];

  useEffect(
    () => () => {
      // The diff editor would dispose its models before itself and fail; it keeps them, and they go after it.
      setTimeout(() => [originalPath, modifiedPath].forEach(disposeModel));
    },
    [originalPath, modifiedPath],
  );

  return (
    <section className={styles.diff} aria-label={text.review.diff}>
      <div className={styles.diffHead}>
        <span>{originalLabel}</span>
        <span>{text.review.yours}</span>
      </div>
      <div className={styles.diffBody}>
        <Suspense fallback={<RecordSkeleton />}>
          <DiffEditor
            original={original}
            modified={modified}
            originalModelPath={originalPath}
            modifiedModelPath={modifiedPath}
            keepCurrentOriginalModel
            keepCurrentModifiedModel
            language="json"
            theme={monacoThemes[scheme]}
            loading={<RecordSkeleton />}
            options={options}
          />
        </Suspense>
      </div>
    </section>
  );
}
