import { IconAlertTriangle, IconBan } from '@tabler/icons-react';
import styles from './ui.module.css';

interface ModifiedNameProps {
  /** As core names it: with the words of `before`, a colon and a space at its head. */
  readonly name: string;
  /** The words that negate it; absent where none do. */
  readonly before?: string | undefined;
}

/** A name whose negation is marked. Its text is the name itself, in whole. */
export function ModifiedName({ name, before = '' }: ModifiedNameProps) {
  if (before === '') return name;
  const Icon = before.startsWith('Do NOT') ? IconBan : IconAlertTriangle;
  return (
    <>
      <strong className={styles.negation}>
        <Icon size={13} aria-hidden />
        {`${before}:`}
      </strong>
      {name.slice(before.length + 1)}
    </>
  );
}
