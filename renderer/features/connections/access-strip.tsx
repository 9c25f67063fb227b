import { Button } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import type { ConnectionSummary } from '../../../core/app/connections.ts';
import { useConnection } from '../../platform/connection.ts';
import { text } from '../../ui/text.ts';
import styles from './connections.module.css';
import { useConnections } from './use-connections.ts';

interface AccessStripProps {
  readonly onEdit: (connection: ConnectionSummary) => void;
}

/** Says that the server that is worked on cannot be reached without a secret or a sign-in, and leads to it. */
export function AccessStrip({ onEdit }: AccessStripProps) {
  const { remote } = useConnection();
  return remote ? <Needed id={remote.id} onEdit={onEdit} /> : null;
}

function Needed({ id, onEdit }: AccessStripProps & { readonly id: string }) {
  const connection = useConnections().data?.connections.find((one) => one.id === id);
  if (!connection || connection.access === 'open' || connection.access === 'ready') return null;
  return (
    <div className={styles.strip} role="status" aria-label={text.connections.needs[connection.access]}>
      <IconKey size={16} aria-hidden />
      <p>
        {text.connections.needs[connection.access]} {connection.accessFault}
      </p>
      <Button onClick={() => onEdit(connection)}>{text.connections.open}</Button>
    </div>
  );
}
