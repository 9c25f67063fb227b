import { Menu } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import type { ConnectionSummary } from '../../../core/app/connections.ts';
import { useAnnounce } from '../../ui/status-store.ts';
import { text } from '../../ui/text.ts';
import styles from './connections.module.css';
import { useConnections } from '../../platform/use-connections.ts';
import { useConnectionRequests } from './connection-requests.ts';

const messages = text.connections;

const steps = [
  { delta: -1, label: messages.moveUp, Icon: IconArrowUp },
  { delta: 1, label: messages.moveDown, Icon: IconArrowDown },
] as const;

/** Moves the current connection within the list. The menu stays open to show the new position. */
export function MoveItems({ connection: { id, name } }: { readonly connection: ConnectionSummary }) {
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
