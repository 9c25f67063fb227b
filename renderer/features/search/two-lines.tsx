import type { ReactNode } from 'react';
import { Shortened } from '../../ui/shortened.tsx';
import styles from './search.module.css';

/** Letters of an id that stand behind the cut in its middle. */
const idEnd = 6;

/** A name, and beneath it what tells it from others of the same name. */
export function TwoLines({ name, below }: { readonly name: string; readonly below: string }): ReactNode {
  return (
    <span className={styles.lines}>
      <span>{name}</span>
      <span className="mono">
        <CopiedId id={below} />
      </span>
    </span>
  );
}

/** An id, cut in its middle where it has no room; a button that comes with the pointer copies it. */
export function CopiedId({ id }: { readonly id: string }): ReactNode {
  return (
    <span className={styles.copied} data-copy={id}>
      <Shortened name={id} end={Math.min(idEnd, id.length)} />
    </span>
  );
}
