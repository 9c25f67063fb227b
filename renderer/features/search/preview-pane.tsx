import { ActionIcon } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useSubjectName } from '../../platform/subject-names.ts';
import { useDates } from '../../ui/date-language.ts';
import { useAfterPaint } from '../../ui/after-paint.ts';
import { shownReference } from '../../ui/format.ts';
import { StatusChip } from '../../ui/status-chip.tsx';
import { text } from '../../ui/text.ts';
import { writtenDays } from '../../ui/time.ts';
import frame from '../../ui/view.module.css';
import { rowKey, type ResultRow } from './result-rows.ts';
import styles from './search.module.css';

/** Draws what a row's record says; the frame hands it in, since records are another feature's. */
export type DrawPreview = (row: ResultRow) => ReactNode;

interface PreviewPaneProps {
  readonly row: ResultRow | undefined;
  /** Whether it lies over the grid, which has no room beside it. */
  readonly over: boolean;
  readonly draw: DrawPreview;
  readonly onClose: () => void;
}

/** Milliseconds that a row stays under the cursor until its record is read: arrows that are held read none. */
const resting = 150;

/** The record of the row under the cursor, beside the grid. */
export function PreviewPane({ row, over, draw, onClose }: PreviewPaneProps) {
  useDates();
  const rested = useAfterPaint(row, resting);
  return (
    <section
      className={styles.preview}
      aria-label={text.preview.name}
      data-region="inspector"
      data-over={over}
    >
      <header className={`${frame.paneHead} ${styles.previewHead}`}>
        <h2>{text.preview.name}</h2>
        <span>{text.preview.keys}</span>
        <ActionIcon size={22} aria-label={text.preview.hide} title={text.preview.hide} onClick={onClose}>
          <IconX size={14} aria-hidden />
        </ActionIcon>
      </header>
      {row ? <Head row={row} /> : <p className={styles.previewNone}>{text.preview.none}</p>}
      {row && (
        <div key={rowKey(row)} className={styles.previewBody} tabIndex={-1}>
          {rested === row && draw(row)}
        </div>
      )}
    </section>
  );
}

function Head({ row }: { readonly row: ResultRow }) {
  const { title, status, subject, date, end, id } = row;
  const name = useSubjectName(row) ?? shownReference(subject, 'Patient');
  const days = writtenDays(date, end);
  return (
    <div className={styles.previewTitle}>
      <h3>{title}</h3>
      <p>
        <StatusChip status={status} />
        {name !== '' && <span>{name}</span>}
        {days !== '' && <span className="mono">{days}</span>}
      </p>
      <p className="mono">{id}</p>
    </div>
  );
}
