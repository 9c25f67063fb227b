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

const words = text.quality.states;

type Said = Omit<StateChange, 'findings' | 'filter'>;

interface StateMenuProps {
  /** The findings that something is said of. */
  readonly findings: readonly QualityFinding[];
  readonly opened: boolean;
  readonly onOpened: (opened: boolean) => void;
  readonly onDone: () => void;
}

/** Whose the findings at hand are, whether they are waived, and what is noted of them. */
export function StateMenu({ findings, opened, onOpened, onDone }: StateMenuProps) {
  const { client } = useConnection();
  const queries = useQueryClient();
  const announce = useAnnounce();
  const people = usePeople().data?.people ?? [];
  const [asking, ask] = useState<'waived' | 'note'>();
  const keys = findings.map(({ type, id, rule, pointer }) => ({ type, id, rule, pointer }));
  const say = useMutation({
    mutationFn: (said: Said) =>
      client.ask(StatesChanged, 'PUT', '/quality/states', { ...said, findings: keys }),
    onSuccess: async ({ changed }) => {
      ask(undefined);
      onDone();
      announce(words.done(changed));
      await queries.invalidateQueries({ queryKey: ['quality'] });
    },
    onError: () => announce(words.failed),
  });
  return (
    <>
      <Menu opened={opened} onChange={onOpened} position="bottom-end" width={220}>
        <Menu.Target>
          <Button disabled={findings.length === 0}>{words.menu(findings.length)}</Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{words.assign}</Menu.Label>
          {people.length === 0 && <Menu.Item disabled>{words.nobody}</Menu.Item>}
          {people.map(({ id, name }) => (
            <Menu.Item key={id} onClick={() => say.mutate({ set: 'assigned', assignee: name })}>
              {name}
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item onClick={() => ask('waived')}>{words.waive}</Menu.Item>
          <Menu.Item onClick={() => ask('note')}>{words.note}</Menu.Item>
          <Menu.Item onClick={() => say.mutate({ set: 'open' })}>{words.open}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {asking && <StateForm kind={asking} say={say} onClose={() => ask(undefined)} />}
    </>
  );
}

interface StateFormProps {
  readonly kind: 'waived' | 'note';
  readonly say: UseMutationResult<StatesChanged, Error, Said>;
  readonly onClose: () => void;
}

/** Asks why findings are waived and until when, or what is noted of them. */
function StateForm({ kind, say, onClose }: StateFormProps) {
  const [typed, setTyped] = useState('');
  const [until, setUntil] = useState('');
  const isWaiver = kind === 'waived';
  const said = typed.trim();
  return (
    <Modal opened centered title={isWaiver ? words.waiveTitle : words.noteTitle} onClose={onClose}>
      <form
        className={styles.stateForm}
        onSubmit={(event) => {
          event.preventDefault();
          if (!isWaiver) say.mutate({ set: 'note', ...(said !== '' && { note: said }) });
          else say.mutate({ set: 'waived', reason: said, ...(until !== '' && { until }) });
        }}
      >
        <Textarea
          data-autofocus
          label={isWaiver ? words.reason : words.noteLabel}
          required={isWaiver}
          maxLength={500}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        {isWaiver && (
          <TextInput
            type="date"
            label={words.until}
            value={until}
            onChange={({ currentTarget }) => setUntil(currentTarget.value)}
          />
        )}
        <RequestFailure title={words.failed} of={say} />
        <Button type="submit" variant="filled" loading={say.isPending} disabled={isWaiver && said === ''}>
          {words.save}
        </Button>
      </form>
    </Modal>
  );
}
