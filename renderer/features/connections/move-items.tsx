import { Menu } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import type { ConnectionSummary } from '../../../core/app/connections.ts';
import { useAnnounce } from '../../ui/status-store.ts';
import { text } from '../../ui/text.ts';
import styles from './connections.module.css';
import { useConnections } from '../../platform/use-connections.ts';
import { useConnectionRequests } from './connection-requests.ts';

const words = text.connections;

const steps = [
  { by: -1, label: words.moveUp, Icon: IconArrowUp },
  { by: 1, label: words.moveDown, Icon: IconArrowDown },
] as const;

/** Moves the connection that is worked on within the list; the menu stays open to see where it goes. */
export function MoveItems({ connection: { id, name } }: { readonly connection: ConnectionSummary }) {
  const announce = useAnnounce();
  const requests = useConnectionRequests();
  const order = useConnections().data?.connections.map((one) => one.id) ?? [];
  const place = order.indexOf(id);
  if (order.length < 2) return null;

  async function move(to: number) {
    try {
      await requests.arrange(order.toSpliced(place, 1).toSpliced(to, 0, id));
      announce(words.moved(name, to + 1, order.length));
    } catch {
      announce(words.notMoved(name));
    }
  }
  return steps.map(({ by, label, Icon }) => {
    const to = place + by;
    const ends = place < 0 || to < 0 || to >= order.length;
    return (
      <Menu.Item
        key={by}
        className={styles.move}
        leftSection={<Icon size={16} />}
        closeMenuOnClick={false}
        // Not disabled: that would take the focus from whoever moves it to the end.
        aria-disabled={ends}
        onClick={({ currentTarget }) => {
          // A press of the mouse leaves the focus elsewhere; the next key is for this item.
          currentTarget.focus();
          if (!ends) void move(to);
        }}
      >
        {label(name)}
      </Menu.Item>
    );
  });
}
