import { Button } from '@mantine/core';
import { useState } from 'react';
import type { ImportBatch, UndoResult } from '../../../core/app/batches.ts';
import { RequestFailure } from '../../ui/failure-message.tsx';
import { SkeletonRows } from '../../ui/query-state.tsx';
import { useAnnounce } from '../../ui/status-store.ts';
import { text } from '../../ui/text.ts';
import { BatchTable, nameOfBatch } from './batch-table.tsx';
import { CompareBatch } from './compare-batch.tsx';
import { MoreButton } from './batch-parts.tsx';
import styles from './data.module.css';
import { UndoBatch } from './undo-batch.tsx';
import { useBatches } from './use-batches.ts';

const messages = text.batches;

interface BatchesSectionProps {
  /** Opens the import. */
  readonly onImport: () => void;
}

/** Imports as batches: list, lines, comparison and undo. */
export function BatchesSection({ onImport }: BatchesSectionProps) {
  const query = useBatches();
  if (query.data === undefined)
    return query.isError ? (
      <RequestFailure hasPadding title={messages.failed} query={query} />
    ) : (
      <SkeletonRows count={6} />
    );
  const batches = query.data.pages.flatMap((page) => page.batches);
  return (
    <div className={styles.column}>
      <h2>{messages.heading}</h2>
      {batches.length === 0 ? (
        <>
          <p>{messages.empty}</p>
          <p>{messages.emptyWhat}</p>
          <div className={styles.row}>
            <Button onClick={onImport}>{messages.startImport}</Button>
          </div>
        </>
      ) : (
        <>
          <p>{messages.what}</p>
          <Batches batches={batches} />
          <MoreButton query={query} />
        </>
      )}
    </div>
  );
}

/** Panel below the list. */
interface Panel {
  readonly kind: 'undo' | 'compare';
  readonly id: string;
}

function Batches({ batches }: { readonly batches: readonly ImportBatch[] }) {
  const announce = useAnnounce();
  const [panel, setPanel] = useState<Panel>();
  const [message, setMessage] = useState<string>();
  const batch = batches.find(({ id }) => id === panel?.id);
  const open = (kind: Panel['kind']) => (chosen: ImportBatch) => {
    setMessage(undefined);
    setPanel({ kind, id: chosen.id });
  };
  const close = () => setPanel(undefined);
  const onUndone = (undoneBatch: ImportBatch, { removed, restored }: UndoResult) => {
    const sentence = messages.undo.done(nameOfBatch(undoneBatch), removed + restored);
    setMessage(sentence);
    announce(sentence);
    close();
  };
  return (
    <>
      {message !== undefined && (
        <p className={styles.summary} data-tone="good">
          {message}
        </p>
      )}
      <BatchTable batches={batches} onUndo={open('undo')} onCompare={open('compare')} />
      {batch && panel?.kind === 'undo' && (
        <UndoBatch
          key={batch.id}
          batch={batch}
          onCancel={close}
          onUndone={(result) => onUndone(batch, result)}
        />
      )}
      {batch && panel?.kind === 'compare' && (
        <CompareBatch key={batch.id} batch={batch} batches={batches} onClose={close} />
      )}
    </>
  );
}
