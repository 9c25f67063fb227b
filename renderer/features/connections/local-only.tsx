import { Button } from '@mantine/core';
import { useConnection, useSwitchConnection } from '../../platform/connection.ts';
import { text } from '../../ui/text.ts';
import styles from './connections.module.css';

/** Replaces a view of the local server while another server is selected. */
export function LocalOnly({ view }: { readonly view: string }) {
  const { host } = useConnection();
  const switchTo = useSwitchConnection();
  return (
    <div className={styles.localOnly}>
      <h2>{text.connections.localOnly(view)}</h2>
      <p>{text.connections.localOnlyDetail(host)}</p>
      <Button onClick={() => void switchTo(undefined)}>{text.connections.toLocal}</Button>
    </div>
  );
}
