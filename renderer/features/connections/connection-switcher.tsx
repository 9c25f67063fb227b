/**
 * features/connections shows the current server, switches to another and asks for missing access. The app shell
 * mounts it. Invariant: name and color of the connection are always visible; a secret never is.
 */
import { Button, Menu, Tooltip, UnstyledButton } from '@mantine/core';
import {
  IconCheck,
  IconChevronDown,
  IconCopyPlus,
  IconLock,
  IconPlus,
  IconSettings,
  IconArrowDown,
  IconArrowUp,
} from '@tabler/icons-react';
import { useState, type ComponentProps } from 'react';
import type { ConnectionSummary, Environment } from '../../../core/app/connections.ts';
import type { Overview } from '../../../core/app/models.ts';
import { resourceTypes } from '../../../core/fhir/resource.ts';
import { useOverview } from '../../platform/app-queries.ts';
import { useCommandHandlers, useRunCommand } from '../../platform/commands.ts';
import { localConnection, swatchOf, useConnection, useSwitchConnection } from '../../platform/connection.ts';
import { useIsPractice } from '../../platform/practice-store.ts';
import { formatList } from '../../ui/format.ts';
import { text } from '../../ui/text.ts';
import styles from './connections.module.css';
import { useConnections } from '../../platform/use-connections.ts';
import { useAnnounce } from '../../ui/status-store.ts';
import { useConnectionRequests } from './connection-requests.ts';

/**
 * Button with the current connection: name, host, environment and read-only lock. Its menu lists other connections.
 */
export function ConnectionSwitcher() {
  const { remote } = useConnection();
  const isPractice = useIsPractice();
  const switchTo = useSwitchConnection();
  const runCommand = useRunCommand();
  const overview = useOverview().data;
  const [isOpen, setOpen] = useState(false);
  useCommandHandlers({ 'connection.switch': () => setOpen(true) });
  return (
    <>
      <Menu position="bottom-start" width={340} shadow="md" opened={isOpen} onChange={setOpen}>
        <Menu.Target>
          <Badge />
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{text.connections.menu}</Menu.Label>
          <Item
            name={localConnection.name}
            detail={text.connections.local}
            color={localConnection.color}
            current={!remote}
            onSelect={() => void switchTo(undefined)}
          />
          <RemoteItems current={remote?.id} onSelect={(connection) => void switchTo(connection)} />
          <Menu.Divider />
          {remote && <ConnectionActions connection={remote} />}
          <Menu.Item leftSection={<IconPlus size={16} />} onClick={() => runCommand('connection.add')}>
            {text.connections.add}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isPractice && (
        <Button size="xs" onClick={() => void switchTo(undefined)}>
          {text.connections.leavePractice}
        </Button>
      )}
      {overview && <Count counts={overview.counts} />}
    </>
  );
}

/** Button of the menu, which gets its accessible name from it. */
function Badge(button: ComponentProps<'button'>) {
  const { name, host, color, remote } = useConnection();
  return (
    <Tooltip label={text.connections.choose(name)}>
      <UnstyledButton {...button} className={styles.badge} aria-label={labelOf(name, remote)}>
        <span className={styles.swatch} style={{ background: color }} aria-hidden />
        <strong>{name}</strong> {remote && <span className={styles.host}>{host}</span>}{' '}
        <EnvironmentTag environment={remote?.environment} />
        {remote?.mode === 'read-only' && (
          <IconLock size={14} role="img" aria-label={text.connections.readOnly} />
        )}
        <IconChevronDown size={14} aria-hidden />
      </UnstyledButton>
    </Tooltip>
  );
}

const connectionActions = [
  { command: 'connection.edit', label: text.connections.edit, icon: IconSettings },
  { command: 'connection.duplicate', label: text.connections.duplicate, icon: IconCopyPlus },
] as const;

function ConnectionActions({ connection }: { readonly connection: ConnectionSummary }) {
  const runCommand = useRunCommand();
  return (
    <>
      {connectionActions.map(({ command, label, icon: Icon }) => (
        <Menu.Item key={command} leftSection={<Icon size={16} />} onClick={() => runCommand(command)}>
          {label(connection.name)}
        </Menu.Item>
      ))}
      <MoveItems connection={connection} />
    </>
  );
}

/** Environment of a server, in a color that is independent of the connection color. */
function EnvironmentTag({ environment }: { readonly environment: Environment | undefined }) {
  if (!environment) return null;
  return (
    <span className={styles.environment} data-environment={environment}>
      {text.connections.environments[environment]}
    </span>
  );
}

function labelOf(name: string, remote: ConnectionSummary | undefined): string {
  const { choose, chooseRemote, environments, readOnly } = text.connections;
  if (!remote) return choose(name);
  return chooseRemote(name, [
    remote.host,
    ...(remote.environment ? [environments[remote.environment]] : []),
    ...(remote.mode === 'read-only' ? [readOnly] : []),
  ]);
}

interface OthersProps {
  readonly current: string | undefined;
  readonly onSelect: (connection: ConnectionSummary) => void;
}

function RemoteItems({ current, onSelect }: OthersProps) {
  const { data, isError } = useConnections();
  if (isError) return <Menu.Label>{text.connections.failed}</Menu.Label>;
  return data?.connections.map((connection) => (
    <Item
      key={connection.id}
      name={connection.name}
      detail={connection.host}
      color={swatchOf(connection.colour)}
      environment={connection.environment}
      current={connection.id === current}
      readOnly={connection.mode === 'read-only'}
      onSelect={() => onSelect(connection)}
    />
  ));
}

interface ItemProps {
  readonly name: string;
  readonly detail: string;
  readonly color: string;
  readonly environment?: Environment | undefined;
  readonly current: boolean;
  readonly readOnly?: boolean;
  readonly onSelect: () => void;
}

function Item({ name, detail, color, environment, current, readOnly, onSelect }: ItemProps) {
  return (
    <Menu.Item
      aria-current={current || undefined}
      leftSection={
        <span className={styles.slot} aria-hidden>
          <span className={styles.swatch} style={{ background: color }} />
        </span>
      }
      rightSection={
        <span className={styles.marks}>
          <EnvironmentTag environment={environment} />
          {readOnly && <IconLock size={14} role="img" aria-label={text.connections.readOnly} />}
          {current && <IconCheck size={14} aria-hidden />}
        </span>
      }
      onClick={onSelect}
    >
      <span className={styles.item}>
        <strong>{name}</strong>
        <small>{detail}</small>
      </span>
    </Menu.Item>
  );
}

function Count({ counts }: Pick<Overview, 'counts'>) {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const countTexts = resourceTypes.map((type) => text.types.count(type, counts[type] ?? 0));
  return (
    <span className={styles.fact} title={formatList(countTexts, 'unit')}>
      {text.connections.records(total)}
    </span>
  );
}

const messages = text.connections;

const steps = [
  { delta: -1, label: messages.moveUp, Icon: IconArrowUp },
  { delta: 1, label: messages.moveDown, Icon: IconArrowDown },
] as const;

/** Moves the current connection within the list. The menu stays open to show the new position. */
function MoveItems({ connection: { id, name } }: { readonly connection: ConnectionSummary }) {
  const announce = useAnnounce();
  const requests = useConnectionRequests();
  const order = useConnections().data?.connections.map((connection) => connection.id) ?? [];
  const index = order.indexOf(id);
  if (order.length < 2) return null;

  async function move(newIndex: number) {
    try {
      await requests.arrange(order.toSpliced(index, 1).toSpliced(newIndex, 0, id));
      announce(messages.moved(name, newIndex + 1, order.length));
    } catch {
      announce(messages.notMoved(name));
    }
  }
  return steps.map(({ delta, label, Icon }) => {
    const newIndex = index + delta;
    const isAtEnd = index < 0 || newIndex < 0 || newIndex >= order.length;
    return (
      <Menu.Item
        key={delta}
        className={styles.move}
        leftSection={<Icon size={16} />}
        closeMenuOnClick={false}
        // Not disabled: a disabled item would lose the focus at the end of the list.
        aria-disabled={isAtEnd}
        onClick={({ currentTarget }) => {
          // A click does not focus the item, but the next key must reach it.
          currentTarget.focus();
          if (!isAtEnd) void move(newIndex);
        }}
      >
        {label(name)}
      </Menu.Item>
    );
  });
}
