import { Button } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { recordsKey } from '../../platform/app-queries.ts';
import { isEntered } from '../../../core/app/connections.ts';
import { useRunCommand } from '../../platform/commands.ts';
import { useConnection } from '../../platform/connection.ts';
import { text } from '../../ui/text.ts';
import frame from '../../ui/view.module.css';
import styles from './connections.module.css';
import { useConnections } from '../../platform/use-connections.ts';

/** Banner with a link to the connection if the current server needs a secret or a sign-in. */
export function AccessBanner() {
  const { remote } = useConnection();
  return remote ? <AccessNeeded id={remote.id} /> : null;
}

function AccessNeeded({ id }: { readonly id: string }) {
  const runCommand = useRunCommand();
  const connection = useConnections().data?.connections.find((candidate) => candidate.id === id);
  const hasAccess = !connection || isEntered(connection.access);
  useRetryAfterAccess(hasAccess);
  if (hasAccess) return null;
  return (
    <div
      className={`${frame.strip} ${styles.strip}`}
      role="status"
      aria-label={text.connections.needs[connection.access]}
    >
      <IconKey size={16} aria-hidden />
      <p>
        {text.connections.needs[connection.access]} {connection.accessFault}
      </p>
      <Button onClick={() => runCommand('connection.edit')}>{text.connections.open}</Button>
    </div>
  );
}

/** Repeats failed requests once a secret or sign-in is available. */
function useRetryAfterAccess(hasAccess: boolean): void {
  const queries = useQueryClient();
  const hadAccess = useRef(hasAccess);
  useEffect(() => {
    const hasGainedAccess = hasAccess && !hadAccess.current;
    hadAccess.current = hasAccess;
    if (!hasGainedAccess) return;
    void queries.invalidateQueries({ queryKey: [recordsKey] });
    void queries.invalidateQueries({ predicate: ({ state }) => state.status === 'error' });
  }, [hasAccess, queries]);
}
