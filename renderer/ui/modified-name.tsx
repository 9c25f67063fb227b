import { IconAlertTriangle, IconBan } from '@tabler/icons-react';
import styles from './ui.module.css';

interface ModifiedNameProps {
  /** Name from core, which begins with `before`, a colon and a space. */
  readonly name: string;
  /** Words that negate the name; undefined without a negation. */
  readonly before?: string | undefined;
}

/** A name with a marked negation. Its text is the complete name. */
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
