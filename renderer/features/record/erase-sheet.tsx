import { Button, Modal, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { narrow } from '../../../core/api/narrow.ts';
import { ErasureDone, longestReason, formatRecordName, type RecordName } from '../../../core/app/erasures.ts';
import { useLacks } from '../../platform/app-queries.ts';
import { useConnection } from '../../platform/connection.ts';
import { toFailure } from '../../ui/failure.ts';
import { FailureMessage } from '../../ui/failure-message.tsx';
import { Question } from '../../ui/question.tsx';
import { useAnnounce } from '../../ui/status-store.ts';
import { text } from '../../ui/text.ts';
import { exactTime, localTime } from '../../ui/time.ts';
import sheet from '../../ui/ui.module.css';

const messages = text.erase;

interface EraseSheetProps {
  readonly record: RecordName;
  /** Display name of the record. */
  readonly label: string;
  readonly onClose: () => void;
  readonly onErased: () => void;
}

/** Asks for a reason and the id, erases the record, then lists the backups that contain it. */
export function EraseSheet({ record, label, onClose, onErased }: EraseSheetProps) {
  const { client } = useConnection();
  const queries = useQueryClient();
  const announce = useAnnounce();
  const isShared = useLacks('backups');
  const [reason, setReason] = useState('');
  const [typedId, setTypedId] = useState('');
  const erase = useMutation({
    mutationFn: async () =>
      narrow(await client.app('POST', '/erasures', { ...record, reason: reason.trim() }), ErasureDone),
    onSuccess: () => {
      announce(messages.done(formatRecordName(record)));
      onErased();
      return queries.invalidateQueries();
    },
  });
  if (erase.isSuccess) return <ErasureResult {...erase.data} onClose={onClose} />;
  return (
    <Question
      title={messages.title}
      confirm={messages.confirm}
      keep={messages.keep}
      busy={erase.isPending}
      disabled={typedId !== record.id || reason.trim() === ''}
      onConfirm={() => erase.mutate()}
      onKeep={onClose}
    >
      <p>
        <strong>{label}</strong> <span className="mono">{formatRecordName(record)}</span>
      </p>
      <p>{isShared ? messages.whatShared : messages.what}</p>
      <TextInput
        label={messages.reason}
        description={messages.reasonHint}
        maxLength={longestReason}
        value={reason}
        onChange={({ currentTarget: { value } }) => setReason(value)}
      />
      <TextInput
        label={messages.id}
        classNames={{ input: 'mono' }}
        spellCheck={false}
        autoComplete="off"
        value={typedId}
        onChange={({ currentTarget: { value } }) => setTypedId(value.trim())}
      />
      {erase.isError && <FailureMessage title={messages.failed} failure={toFailure(erase.error)} />}
    </Question>
  );
}

function ErasureResult({
  type,
  id,
  backups,
  unseen,
  onClose,
}: ErasureDone & { readonly onClose: () => void }) {
  const noBackupsMessage = useLacks('backups') ? messages.databaseBackups : messages.noBackups;
  return (
    <Modal
      opened
      onClose={onClose}
      title={messages.doneTitle}
      size={520}
      centered
      withCloseButton={false}
      transitionProps={{ duration: 0 }}
    >
      <div className={sheet.question}>
        <p>{messages.done(formatRecordName({ type, id }))}</p>
        {backups.length > 0 && <p>{messages.backups}</p>}
        {backups.length === 0 && unseen === null && <p>{noBackupsMessage}</p>}
        {backups.length > 0 && (
          <ul className={sheet.questionList} aria-label={messages.list}>
            {backups.map(({ name, time, place: folder }) => (
              <li key={name}>
                <span className="mono">{name}</span> <time title={exactTime(time)}>{localTime(time)}</time>
                {folder === 'second' && ` (${messages.second})`}
              </li>
            ))}
          </ul>
        )}
        {unseen !== null && <p>{messages.unseen(unseen)}</p>}
      </div>
      <div className={sheet.questionFoot}>
        <Button variant="filled" data-autofocus onClick={onClose}>
          {messages.close}
        </Button>
      </div>
    </Modal>
  );
}
