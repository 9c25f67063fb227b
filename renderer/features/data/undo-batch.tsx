import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { ImportBatch, UndoResult } from '../../../core/app/batches.ts';
import { isResourceType } from '../../../core/fhir/resource.ts';
import { useIsReasonMissing } from '../../platform/people.ts';
import { WhyFields } from '../../platform/reason-fields.tsx';
import { useWorkbenchActions } from '../../platform/workbench-actions.ts';
import { RequestFailure } from '../../ui/failure-message.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { SkeletonRows } from '../../ui/query-state.tsx';
import { text } from '../../ui/text.ts';
import { nameOfBatch } from './batch-table.tsx';
import styles from './data.module.css';
import { useUndoBatch, useUndoPreview } from './use-batches.ts';

const messages = text.batches.undo;

interface UndoBatchProps {
  readonly batch: ImportBatch;
  readonly onCancel: () => void;
  readonly onUndone: (result: UndoResult) => void;
}

/** Panel with the dry run of an undo, the reason, and the button that undoes the batch. */
export function UndoBatch({ batch, onCancel, onUndone }: UndoBatchProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const [reason, setReason] = useState('');
  const preview = useUndoPreview(batch.id);
  const undo = useUndoBatch(batch.id, onUndone);
  const isReasonMissing = useIsReasonMissing(reason);
  useEffect(() => heading.current?.focus(), []);
  const { data } = preview;
  const recordCount = data ? data.removed + data.restored : 0;
  const isNothingLeft = data && recordCount + data.resourcesRemoved + data.resourcesRestored === 0;
  return (
    <section className={styles.section} aria-label={messages.name}>
      <h3 ref={heading} tabIndex={-1}>
        {messages.startOf(nameOfBatch(batch))}
      </h3>
      {data ? (
        <Preview result={data} />
      ) : preview.isError ? (
        <RequestFailure title={messages.dryRunFailed} query={preview} />
      ) : (
        <div role="status" aria-label={messages.loading}>
          <SkeletonRows count={3} />
        </div>
      )}
      {data && !isNothingLeft && (
        <>
          <p>{messages.keepsHistory}</p>
          <WhyFields reason={reason} disabled={undo.isPending} onReason={setReason} />
        </>
      )}
      <RequestFailure title={messages.failed} query={undo} />
      <div className={styles.row}>
        <Button disabled={undo.isPending} onClick={onCancel}>
          {messages.cancel}
        </Button>
        {data && !isNothingLeft && (
          <Button
            color="red"
            disabled={isReasonMissing}
            loading={undo.isPending}
            onClick={() => undo.mutate(reason)}
          >
            {messages.confirm(recordCount)}
          </Button>
        )}
      </div>
    </section>
  );
}

/** What an undo would do, and the records that stay. */
function Preview({ result }: { readonly result: UndoResult }) {
  const { openRecord } = useWorkbenchActions();
  const { removed, restored, changed, changedRecords } = result;
  const { resourcesRemoved, resourcesRestored, resourcesKept } = result;
  const isNothingLeft = removed + restored + resourcesRemoved + resourcesRestored === 0;
  return (
    <>
      {isNothingLeft && <p>{messages.nothing}</p>}
      {removed > 0 && <p>{messages.removed(removed)}</p>}
      {restored > 0 && <p>{messages.restored(restored)}</p>}
      {resourcesRemoved > 0 && <p>{messages.resourcesRemoved(resourcesRemoved)}</p>}
      {resourcesRestored > 0 && <p>{messages.resourcesRestored(resourcesRestored)}</p>}
      {resourcesKept > 0 && <p>{messages.resourcesKept(resourcesKept)}</p>}
      {changed > 0 && (
        <>
          <p>{messages.changed(changed)}</p>
          <ul className={styles.names}>
            {changedRecords.map(({ type, id }) => (
              <li key={`${type}/${id}`}>
                {isResourceType(type) ? (
                  <LinkButton onClick={() => openRecord({ type, id, title: '' })}>
                    {type}/{id}
                  </LinkButton>
                ) : (
                  `${type}/${id}`
                )}
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}
