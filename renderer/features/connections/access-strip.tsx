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

/** Says that the server that is worked on cannot be reached without a secret or a sign-in, and leads to it. */
export function AccessStrip() {
  const { remote } = useConnection();
  return remote ? <Needed id={remote.id} /> : null;
}

function Needed({ id }: { readonly id: string }) {
  const runCommand = useRunCommand();
  const connection = useConnections().data?.connections.find((one) => one.id === id);
  const entered = !connection || isEntered(connection.access);
  useAskedAgain(entered);
  if (entered) return null;
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

/** What was refused for want of a secret or a sign-in is asked again once there is one. */
function useAskedAgain(entered: boolean): void {
  const queries = useQueryClient();
  const former = useRef(entered);
  useEffect(() => {
    const enters = entered && !former.current;
    former.current = entered;
    if (!enters) return;
    void queries.invalidateQueries({ queryKey: [recordsKey] });
    void queries.invalidateQueries({ predicate: ({ state }) => state.status === 'error' });
  }, [entered, queries]);
}
