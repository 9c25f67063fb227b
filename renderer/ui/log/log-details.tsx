import { IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { IconButton } from '../icon-button.tsx';
import { text } from '../text.ts';
import styles from './log.module.css';

interface LogDetailsProps {
  readonly name: string;
  readonly title: string;
  readonly onHide: () => void;
  readonly children: ReactNode;
}

/** Details of an entry next to the list. */
export function LogDetails({ name, title, onHide, children }: LogDetailsProps) {
  return (
    <section className={styles.details} aria-label={name}>
      <header>
        <h2>{title}</h2>
        <IconButton label={text.log.hide} onClick={onHide}>
          <IconX size={16} />
        </IconButton>
      </header>
      {children}
    </section>
  );
}

interface FactPairProps {
  readonly name: string;
  readonly value: string;
  readonly mono?: true;
}

/** A name and its value in a `dl`. */
export function DetailItem({ name, value, mono }: FactPairProps) {
  return (
    <>
      <dt>{name}</dt>
      <dd className={mono && 'mono'}>{value}</dd>
    </>
  );
}
