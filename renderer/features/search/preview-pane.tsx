import { ActionIcon } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useSubjectName } from '../../platform/subject-names.ts';
import { useDates } from '../../ui/date-language.ts';
import { useAfterPaint } from '../../ui/after-paint.ts';
import { formatReference } from '../../ui/format.ts';
import { StatusChip } from '../../ui/status-chip.tsx';
import { text } from '../../ui/text.ts';
import { formatDays } from '../../ui/time.ts';
import frame from '../../ui/view.module.css';
import { rowKey, type ResultRow } from './result-rows.ts';
import styles from './search.module.css';

/** Renders the record of a row. Passed in by the app, because records belong to another feature. */
export type RenderPreview = (row: ResultRow) => ReactNode;

interface PreviewPaneProps {
  readonly row: ResultRow | undefined;
  /** True if the preview covers the grid for lack of space. */
  readonly isOverlay: boolean;
  readonly draw: RenderPreview;
  readonly onClose: () => void;
}

/** Delay in milliseconds before the record is read, so that held arrow keys read none. */
const readDelayMs = 150;

/** Preview of the record of the current row, next to the grid. */
export function PreviewPane({ row, isOverlay, draw, onClose }: PreviewPaneProps) {
  useDates();
  const settledRow = useAfterPaint(row, readDelayMs);
  return (
    <section
      className={styles.preview}
      aria-label={text.preview.name}
      data-region="inspector"
      data-over={isOverlay}
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
          {settledRow === row && draw(row)}
        </div>
      )}
    </section>
  );
}

function Head({ row }: { readonly row: ResultRow }) {
  const { title, status, subject, date, end, id } = row;
  const name = useSubjectName(row) ?? formatReference(subject, 'Patient');
  const days = formatDays(date, end);
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
