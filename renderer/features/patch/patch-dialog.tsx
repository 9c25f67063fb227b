import { Button, Modal } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import type { RecordVersion } from '../../../core/api/client.ts';
import { pathOf } from '../../../core/api/contract.ts';
import { etagOf } from '../../../core/api/precondition.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import { scan } from '../../../core/json/scan.ts';
import { useConnection } from '../../platform/connection.ts';
import { toFailure } from '../../ui/failure.ts';
import { FailureMessage } from '../../ui/failure-message.tsx';
import { text } from '../../ui/text.ts';
import { compose, pathsOf, type PatchRow } from './patch-rows.ts';
import { OperationRow } from './patch-row.tsx';
import { PatchPreview } from './patch-preview.tsx';
import styles from './patch.module.css';

interface PatchDialogProps {
  readonly type: ResourceType;
  readonly id: string;
  readonly version: number | undefined;
  readonly recordText: string;
  readonly onClose: () => void;
  readonly onApplied: (answer: RecordVersion) => void;
}

/** Composes replace operations, shows the array and its effect, and sends them with If-Match. */
export function PatchDialog({ type, id, version, recordText, onClose, onApplied }: PatchDialogProps) {
  const { client, name } = useConnection();
  const [rows, setRows] = useState<readonly PatchRow[]>([{ key: 0, path: '', value: '' }]);
  const nextKey = useRef(1);
  const record = useMemo(() => scan(recordText).root, [recordText]);
  const paths = useMemo(() => pathsOf(record), [record]);
  const composed = useMemo(() => compose(rows, type, recordText), [rows, type, recordText]);
  const sending = useMutation({
    mutationFn: (body: string) => client.patch(type, id, body, version),
    onSuccess: onApplied,
  });
  const failure = sending.isError ? toFailure(sending.error) : undefined;

  return (
    <Modal
      opened
      onClose={onClose}
      closeOnClickOutside={false}
      closeOnEscape={!sending.isPending}
      title={text.patch.title}
      size="min(1080px, calc(100vw - 64px))"
      yOffset={48}
      classNames={{ body: styles.body ?? '', header: styles.head ?? '', content: styles.content ?? '' }}
      closeButtonProps={{ 'aria-label': text.patch.close, disabled: sending.isPending }}
    >
      <div className={styles.rows}>
        <div className={styles.columns} aria-hidden>
          <span>{text.patch.pathColumn}</span>
          <span>{text.patch.currentColumn}</span>
          <span>{text.patch.valueColumn}</span>
        </div>
        {rows.map((row, index) => (
          <OperationRow
            key={row.key}
            row={row}
            index={index}
            record={record}
            paths={paths}
            removable={rows.length > 1}
            onChange={(changed) => setRows(rows.map((one) => (one.key === changed.key ? changed : one)))}
            onRemove={() => setRows(rows.filter((one) => one.key !== row.key))}
          />
        ))}
        <Button
          variant="subtle"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => {
            setRows([...rows, { key: nextKey.current, path: '', value: '' }]);
            nextKey.current += 1;
          }}
        >
          {text.patch.add}
        </Button>
      </div>
      <PatchPreview composed={composed} />
      {failure && (
        <div className={styles.failure}>
          <FailureMessage
            title={failure.status === undefined ? text.review.unconfirmedTitle : text.patch.failed}
            failure={failure}
          >
            {failure.status === 412 && <p>{text.patch.reloadFirst}</p>}
          </FailureMessage>
        </div>
      )}
      <footer className={styles.foot}>
        <code className={styles.request}>
          {`PATCH ${pathOf(type, id)}`}
          {version !== undefined && <span>{`If-Match: ${etagOf(version)}`}</span>}
        </code>
        <Button onClick={onClose} disabled={sending.isPending}>
          {text.patch.cancel}
        </Button>
        <Button
          variant="filled"
          loading={sending.isPending}
          disabled={!composed.ready}
          onClick={() => {
            if (composed.ready) sending.mutate(composed.body);
          }}
        >
          {text.patch.apply}
        </Button>
        <span className={styles.saveAs}>{text.review.saveAs(version, name)}</span>
      </footer>
    </Modal>
  );
}
