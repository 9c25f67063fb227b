import { Button } from '@mantine/core';
import { useConnection, useSwitchConnection } from '../../platform/connection.ts';
import { text } from '../../ui/text.ts';
import styles from './connections.module.css';

/** In the place of a view that is about the local server alone, while another one is worked on. */
export function LocalOnly({ view }: { readonly view: string }) {
  const { host } = useConnection();
  const turn = useSwitchConnection();
  return (
    <div className={styles.localOnly}>
      <h2>{text.connections.localOnly(view)}</h2>
      <p>{text.connections.localOnlyDetail(host)}</p>
      <Button onClick={() => void turn(undefined)}>{text.connections.toLocal}</Button>
    </div>
  );
}
