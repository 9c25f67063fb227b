import { Button, Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useConnection } from '../../platform/connection.ts';
import { toVersion } from '../../platform/record-version.ts';
import { toFailure } from '../../ui/failure.ts';
import { FailureMessage } from '../../ui/failure-message.tsx';
import { RecordSkeleton } from '../../ui/record-skeleton.tsx';
import { text } from '../../ui/text.ts';
import { PatchDialog, type PatchDialogProps } from './patch-dialog.tsx';
import styles from './patch.module.css';
import sheet from '../../ui/sheet.module.css';

type PatchRecordProps = Pick<PatchDialogProps, 'type' | 'id' | 'onClose' | 'onApplied'>;

/** Composer for a record known only by ID. Reads the record first; paths can be typed if that fails. */
export function PatchRecord({ type, id, onClose, onApplied }: PatchRecordProps) {
  const { client, name } = useConnection();
  const [isWithoutRecord, setWithoutRecord] = useState(false);
  const query = useQuery({
    queryKey: ['patch', name, type, id],
    queryFn: async () => toVersion(await client.read(type, id)),
    staleTime: Infinity,
    gcTime: 0,
    structuralSharing: false,
  });
  if (query.data || isWithoutRecord)
    return <PatchDialog type={type} id={id} onClose={onClose} onApplied={onApplied} record={query.data} />;
  return (
    <Modal
      opened
      onClose={onClose}
      title={text.patch.title}
      size={640}
      yOffset={48}
      classNames={{ header: sheet.head ?? '', body: styles.face ?? '' }}
      closeButtonProps={{ 'aria-label': text.patch.close }}
    >
      {query.isError ? (
        <FailureMessage
          title={text.patch.unreadable}
          failure={toFailure(query.error)}
          onRetry={() => void query.refetch()}
        >
          <Button onClick={() => setWithoutRecord(true)}>{text.patch.composeWithoutLoading}</Button>
        </FailureMessage>
      ) : (
        <RecordSkeleton />
      )}
    </Modal>
  );
}
