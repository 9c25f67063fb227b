import { Button, Modal, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { narrow } from '../../../core/api/narrow.ts';
import { ErasureDone, longestReason, nameOfRecord, type RecordName } from '../../../core/app/erasures.ts';
import { useLacks } from '../../platform/app-queries.ts';
import { useConnection } from '../../platform/connection.ts';
import { toFailure } from '../../ui/failure.ts';
import { FailureMessage } from '../../ui/failure-message.tsx';
import { Question } from '../../ui/question.tsx';
import { useAnnounce } from '../../ui/status-store.ts';
import { text } from '../../ui/text.ts';
import { exactTime, localTime } from '../../ui/time.ts';
import sheet from '../../ui/ui.module.css';

const words = text.erase;

interface EraseSheetProps {
  readonly record: RecordName;
  /** What the record is called. */
  readonly label: string;
  readonly onClose: () => void;
  readonly onErased: () => void;
}

/** Asks why, and for the id once more; then says which backups hold the record still. */
export function EraseSheet({ record, label, onClose, onErased }: EraseSheetProps) {
  const { client } = useConnection();
  const queries = useQueryClient();
  const announce = useAnnounce();
  const shared = useLacks('backups');
  const [reason, setReason] = useState('');
  const [typed, setTyped] = useState('');
  const erase = useMutation({
    mutationFn: async () =>
      narrow(await client.app('POST', '/erasures', { ...record, reason: reason.trim() }), ErasureDone),
    onSuccess: () => {
      announce(words.done(nameOfRecord(record)));
      onErased();
      return queries.invalidateQueries();
    },
  });
  if (erase.isSuccess) return <Erased {...erase.data} onClose={onClose} />;
  return (
    <Question
      title={words.title}
      confirm={words.confirm}
      keep={words.keep}
      busy={erase.isPending}
      disabled={typed !== record.id || reason.trim() === ''}
      onConfirm={() => erase.mutate()}
      onKeep={onClose}
    >
      <p>
        <strong>{label}</strong> <span className="mono">{nameOfRecord(record)}</span>
      </p>
      <p>{shared ? words.whatShared : words.what}</p>
      <TextInput
        label={words.reason}
        description={words.reasonHint}
        maxLength={longestReason}
        value={reason}
        onChange={({ currentTarget: { value } }) => setReason(value)}
      />
      <TextInput
        label={words.id}
        classNames={{ input: 'mono' }}
        spellCheck={false}
        autoComplete="off"
        value={typed}
        onChange={({ currentTarget: { value } }) => setTyped(value.trim())}
      />
      {erase.isError && <FailureMessage title={words.failed} failure={toFailure(erase.error)} />}
    </Question>
  );
}

function Erased({ type, id, backups, unseen, onClose }: ErasureDone & { readonly onClose: () => void }) {
  const none = useLacks('backups') ? words.databaseBackups : words.noBackups;
  return (
    <Modal
      opened
      onClose={onClose}
      title={words.doneTitle}
      size={520}
      centered
      withCloseButton={false}
      transitionProps={{ duration: 0 }}
    >
      <div className={sheet.question}>
        <p>{words.done(nameOfRecord({ type, id }))}</p>
        {backups.length > 0 && <p>{words.backups}</p>}
        {backups.length === 0 && unseen === null && <p>{none}</p>}
        {backups.length > 0 && (
          <ul className={sheet.questionList} aria-label={words.list}>
            {backups.map(({ name, time, place }) => (
              <li key={name}>
                <span className="mono">{name}</span> <time title={exactTime(time)}>{localTime(time)}</time>
                {place === 'second' && ` (${words.second})`}
              </li>
            ))}
          </ul>
        )}
        {unseen !== null && <p>{words.unseen(unseen)}</p>}
      </div>
      <div className={sheet.questionFoot}>
        <Button variant="filled" data-autofocus onClick={onClose}>
          {words.close}
        </Button>
      </div>
    </Modal>
  );
}
