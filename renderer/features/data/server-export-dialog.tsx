import { Button, Group, Modal, NativeSelect, Radio, TextInput } from '@mantine/core';
import { useState } from 'react';
import { isFhirId } from '../../../core/fhir/resource.ts';
import type { ServerExport } from '../../../core/app/server-exports.ts';
import { useChangeServerExport } from '../../platform/server-exports.ts';
import { useConnections } from '../../platform/use-connections.ts';
import { RequestFailure } from '../../ui/failure-message.tsx';
import { text } from '../../ui/text.ts';
import styles from './data.module.css';

const messages = text.serverExports;

interface ServerExportDialogProps {
  readonly onStarted: (started: ServerExport) => void;
  readonly onClose: () => void;
}

/** Dialog that requests the bulk export of a connection. */
export function ServerExportDialog({ onStarted, onClose }: ServerExportDialogProps) {
  const { data } = useConnections();
  const connections = data?.connections ?? [];
  const [chosenId, setChosenId] = useState<string>();
  const [scope, setScope] = useState<'everything' | 'group'>('everything');
  const [group, setGroup] = useState('');
  const [since, setSince] = useState('');
  const start = useChangeServerExport(onStarted);
  const id = chosenId ?? connections[0]?.id;
  const isComplete = id !== undefined && (scope === 'everything' || isFhirId(group.trim()));
  const send = () => {
    if (!isComplete) return;
    const body = {
      ...(scope === 'group' && { group: group.trim() }),
      ...(since !== '' && { since: new Date(`${since}T00:00`).toISOString() }),
    };
    start.mutate({ path: `/connections/${encodeURIComponent(id)}/server-exports`, body });
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={messages.title}
      size={520}
      centered
      transitionProps={{ duration: 0 }}
    >
      <form
        className={styles.dialog}
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <p>{messages.description}</p>
        {data && connections.length === 0 && <p>{messages.noConnections}</p>}
        <NativeSelect
          label={messages.connection}
          value={id ?? ''}
          disabled={connections.length === 0}
          data={connections.map(({ id: value, name, host }) => ({ value, label: `${name} (${host})` }))}
          onChange={({ currentTarget: { value } }) => setChosenId(value)}
        />
        <Radio.Group
          label={messages.scope}
          value={scope}
          onChange={(value) => setScope(value === 'group' ? 'group' : 'everything')}
        >
          <Radio size="xs" value="everything" label={messages.scopes.everything} />
          <Radio size="xs" value="group" label={messages.scopes.group} />
        </Radio.Group>
        {scope === 'group' && (
          <TextInput
            label={messages.group}
            value={group}
            autoComplete="off"
            spellCheck={false}
            onChange={({ currentTarget: { value } }) => setGroup(value)}
          />
        )}
        <TextInput
          type="date"
          label={messages.since}
          description={messages.sinceHint}
          value={since}
          onChange={({ currentTarget: { value } }) => setSince(value)}
        />
        <RequestFailure title={messages.startFailed} query={start} />
        <Group justify="flex-end" gap="sm">
          <Button onClick={onClose}>{messages.cancel}</Button>
          <Button type="submit" variant="filled" disabled={!isComplete} loading={start.isPending}>
            {messages.start}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}
