import { IconAlertTriangle, IconBan } from '@tabler/icons-react';
import styles from './ui.module.css';

interface ModifiedNameProps {
  /** Name from core, which begins with `negation`, a colon and a space. */
  readonly name: string;
  /** Words that negate the name; undefined without a negation. */
  readonly negation?: string | undefined;
}

/** A name with a marked negation. Its text is the complete name. */
export function ModifiedName({ name, negation = '' }: ModifiedNameProps) {
  if (negation === '') return name;
  const Icon = negation.startsWith('Do NOT') ? IconBan : IconAlertTriangle;
  return (
    <>
      <strong className={styles.negation}>
        <Icon size={13} aria-hidden />
        {`${negation}:`}
      </strong>
      {name.slice(negation.length + 1)}
    </>
  );
}
