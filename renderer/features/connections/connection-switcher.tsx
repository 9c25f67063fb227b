/**
 * features/connections shows which server the page works on, turns to another one, and asks for access where there is
 * none. The app shell mounts it. Invariant: the connection's name and colour are always in sight; a secret never is.
 */
import { Menu, Tooltip, UnstyledButton } from '@mantine/core';
import {
  IconCheck,
  IconChevronDown,
  IconCopyPlus,
  IconLock,
  IconPlus,
  IconSettings,
} from '@tabler/icons-react';
import { useState, type ComponentProps } from 'react';
import type { ConnectionSummary, Environment } from '../../../core/app/connections.ts';
import type { Overview } from '../../../core/app/models.ts';
import { useOverview } from '../../platform/app-queries.ts';
import { useCommandHandlers, useRunCommand } from '../../platform/commands.ts';
import { localConnection, swatchOf, useConnection, useSwitchConnection } from '../../platform/connection.ts';
import { countOf, formatCount } from '../../ui/format.ts';
import { text } from '../../ui/text.ts';
import styles from './connections.module.css';
import { MoveItems } from './move-items.tsx';
import { useConnections } from '../../platform/use-connections.ts';

/** The connection in its colour: its name, a remote one's host, what it is for, a lock where it is read-only; behind it the others. */
export function ConnectionSwitcher() {
  const { remote } = useConnection();
  const turn = useSwitchConnection();
  const runCommand = useRunCommand();
  const overview = useOverview().data;
  const [opened, setOpened] = useState(false);
  useCommandHandlers({ 'connection.switch': () => setOpened(true) });
  return (
    <>
      <Menu position="bottom-start" width={340} shadow="md" opened={opened} onChange={setOpened}>
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
            onChoose={() => void turn(undefined)}
          />
          <Others current={remote?.id} onChoose={(one) => void turn(one)} />
          <Menu.Divider />
          {remote && <OwnItems connection={remote} />}
          <Menu.Item leftSection={<IconPlus size={16} />} onClick={() => runCommand('connection.add')}>
            {text.connections.add}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {overview && <Count counts={overview.counts} />}
    </>
  );
}

/** The button of the menu, which is named by it. */
function Badge(button: ComponentProps<'button'>) {
  const { name, host, color, remote } = useConnection();
  return (
    <Tooltip label={text.connections.choose(name)}>
      <UnstyledButton {...button} className={styles.badge} aria-label={labelOf(name, remote)}>
        <span className={styles.swatch} style={{ background: color }} aria-hidden />
        <strong>{name}</strong>
        {remote && <span className={styles.host}>{host}</span>}
        <EnvironmentTag of={remote?.environment} />
        {remote?.mode === 'read-only' && (
          <IconLock size={14} role="img" aria-label={text.connections.readOnly} />
        )}
        <IconChevronDown size={14} aria-hidden />
      </UnstyledButton>
    </Tooltip>
  );
}

const ownItems = [
  { command: 'connection.edit', label: text.connections.edit, icon: IconSettings },
  { command: 'connection.duplicate', label: text.connections.duplicate, icon: IconCopyPlus },
] as const;

/** What is done with the connection that is worked on. */
function OwnItems({ connection }: { readonly connection: ConnectionSummary }) {
  const runCommand = useRunCommand();
  return (
    <>
      {ownItems.map(({ command, label, icon: Icon }) => (
        <Menu.Item key={command} leftSection={<Icon size={16} />} onClick={() => runCommand(command)}>
          {label(connection.name)}
        </Menu.Item>
      ))}
      <MoveItems connection={connection} />
    </>
  );
}

/** What a server is for, in a colour that is the same whatever colour the connection has. */
function EnvironmentTag({ of }: { readonly of: Environment | undefined }) {
  if (!of) return null;
  return (
    <span className={styles.environment} data-environment={of}>
      {text.connections.environments[of]}
    </span>
  );
}

function labelOf(name: string, remote: ConnectionSummary | undefined): string {
  const { environments, readOnly } = text.connections;
  const facts = remote && [
    remote.host,
    ...(remote.environment ? [environments[remote.environment]] : []),
    ...(remote.mode === 'read-only' ? [readOnly] : []),
  ];
  return [text.connections.choose(name), ...(facts ?? [])].join(', ');
}

interface OthersProps {
  readonly current: string | undefined;
  readonly onChoose: (connection: ConnectionSummary) => void;
}

function Others({ current, onChoose }: OthersProps) {
  const { data, isError } = useConnections();
  if (isError) return <Menu.Label>{text.connections.failed}</Menu.Label>;
  return data?.connections.map((one) => (
    <Item
      key={one.id}
      name={one.name}
      detail={one.host}
      color={swatchOf(one.colour)}
      environment={one.environment}
      current={one.id === current}
      readOnly={one.mode === 'read-only'}
      onChoose={() => onChoose(one)}
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
  readonly onChoose: () => void;
}

function Item({ name, detail, color, environment, current, readOnly, onChoose }: ItemProps) {
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
          <EnvironmentTag of={environment} />
          {readOnly && <IconLock size={14} role="img" aria-label={text.connections.readOnly} />}
          {current && <IconCheck size={14} aria-hidden />}
        </span>
      }
      onClick={onChoose}
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
  const parts = Object.entries(counts).map(([type, count]) => countOf(count, type));
  return (
    <span className={styles.fact} title={parts.join(', ')}>
      <span className={styles.number}>{formatCount(total)}</span> {text.frame.records}
    </span>
  );
}
