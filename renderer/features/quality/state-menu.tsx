import { Button, Menu, Modal, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import { useState } from 'react';
import { StatesChanged, type StateChange } from '../../../core/app/findings.ts';
import type { QualityFinding } from '../../../core/app/quality.ts';
import { useConnection } from '../../platform/connection.ts';
import { usePeople } from '../../platform/people.ts';
import { RequestFailure } from '../../ui/failure-message.tsx';
import { useAnnounce } from '../../ui/status-store.ts';
import { text } from '../../ui/text.ts';
import styles from './quality.module.css';
import { undoChanges } from './state-undo.ts';

const messages = text.quality.states;

type StateChangeInput = Omit<StateChange, 'findings' | 'filter'>;

interface StateMenuProps {
  /** Findings whose state changes. */
  readonly findings: readonly QualityFinding[];
  readonly isOpen: boolean;
  readonly onOpened: (opened: boolean) => void;
  readonly onDone: () => void;
}

/** A change that can be undone, with the findings before the change. */
interface DoneChange {
  readonly set: StateChange['set'];
  readonly changedCount: number;
  readonly before: readonly QualityFinding[];
}

/** Menu that assigns or waives findings or adds a note. The last change can be undone. */
export function StateMenu({ findings, isOpen, onOpened, onDone }: StateMenuProps) {
  const { client } = useConnection();
  const queries = useQueryClient();
  const announce = useAnnounce();
  const people = usePeople().data?.people ?? [];
  const [openForm, setOpenForm] = useState<'waived' | 'note'>();
  const [done, setDone] = useState<DoneChange>();
  const keys = findings.map(({ type, id, rule, pointer }) => ({ type, id, rule, pointer }));
  const send = (change: StateChange) => client.requestAs(StatesChanged, 'PUT', '/quality/states', change);
  const reloadFindings = () => queries.invalidateQueries({ queryKey: ['quality'] });
  const say = useMutation({
    mutationFn: (input: StateChangeInput) => send({ ...input, findings: keys }),
    onSuccess: async ({ changed: changedCount }, { set }) => {
      setDone({ set, changedCount, before: findings });
      setOpenForm(undefined);
      onDone();
      announce(messages.done[set](changedCount));
      await reloadFindings();
    },
    onError: () => announce(messages.failed),
  });
  const undo = useMutation({
    mutationFn: async ({ set, before }: DoneChange) => {
      for (const change of undoChanges(set, before)) await send(change);
    },
    onSuccess: (_, { changedCount }) => {
      setDone(undefined);
      announce(messages.undone(changedCount));
    },
    onError: () => announce(messages.failed),
    // Part of the undo may have succeeded before a request failed.
    onSettled: reloadFindings,
  });
  return (
    <>
      {done && (
        <span className={styles.undo}>
          {messages.done[done.set](done.changedCount)}
          <Button variant="subtle" loading={undo.isPending} onClick={() => undo.mutate(done)}>
            {messages.undo}
          </Button>
        </span>
      )}
      <Menu opened={isOpen} onChange={onOpened} position="bottom-end" width={220}>
        <Menu.Target>
          <Button disabled={findings.length === 0}>{messages.menu(findings.length)}</Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{messages.assign}</Menu.Label>
          {people.length === 0 && <Menu.Item disabled>{messages.nobody}</Menu.Item>}
          {people.map(({ id, name }) => (
            <Menu.Item key={id} onClick={() => say.mutate({ set: 'assigned', assignee: name })}>
              {name}
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item onClick={() => setOpenForm('waived')}>{messages.waive}</Menu.Item>
          <Menu.Item onClick={() => setOpenForm('note')}>{messages.note}</Menu.Item>
          <Menu.Item onClick={() => say.mutate({ set: 'open' })}>{messages.open}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {openForm && (
        <StateForm kind={openForm} count={findings.length} say={say} onClose={() => setOpenForm(undefined)} />
      )}
    </>
  );
}

interface StateFormProps {
  readonly kind: 'waived' | 'note';
  readonly count: number;
  readonly say: UseMutationResult<StatesChanged, Error, StateChangeInput>;
  readonly onClose: () => void;
}

/** Form for the reason and last day of a waiver, or for a note. */
function StateForm({ kind, count, say, onClose }: StateFormProps) {
  const [note, setNote] = useState('');
  const [until, setUntil] = useState('');
  const isWaiver = kind === 'waived';
  const trimmedNote = note.trim();
  return (
    <Modal
      opened
      centered
      title={isWaiver ? messages.waiveTitle(count) : messages.noteTitle}
      onClose={onClose}
    >
      <form
        className={styles.stateForm}
        onSubmit={(event) => {
          event.preventDefault();
          if (!isWaiver) say.mutate({ set: 'note', ...(trimmedNote !== '' && { note: trimmedNote }) });
          else say.mutate({ set: 'waived', reason: trimmedNote, ...(until !== '' && { until }) });
        }}
      >
        <Textarea
          data-autofocus
          label={isWaiver ? messages.reason : messages.noteLabel}
          required={isWaiver}
          maxLength={500}
          value={note}
          onChange={({ currentTarget }) => setNote(currentTarget.value)}
        />
        {isWaiver && (
          <TextInput
            type="date"
            label={messages.until}
            value={until}
            onChange={({ currentTarget }) => setUntil(currentTarget.value)}
          />
        )}
        <RequestFailure title={messages.failed} query={say} />
        <Button
          type="submit"
          variant="filled"
          loading={say.isPending}
          disabled={isWaiver && trimmedNote === ''}
        >
          {messages.save}
        </Button>
      </form>
    </Modal>
  );
}
