import { Kbd } from '@mantine/core';
import { Fragment } from 'react';
import { keyCaps } from './keys.ts';
import styles from './ui.module.css';

/** A shortcut as key caps. */
export function KeyCaps({ keys, mac }: { readonly keys: string; readonly mac: boolean }) {
  return (
    <span className={styles.caps}>
      {keyCaps(keys, mac).map((cap) => (
        <Fragment key={cap}>
          <Kbd size="xs">{cap}</Kbd>{' '}
        </Fragment>
      ))}
    </span>
  );
}
