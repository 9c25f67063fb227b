import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { mostName, mostReason } from '../../core/app/authorship.ts';
import { isEnter } from '../ui/enter.ts';
import { text } from '../ui/text.ts';
import { useLacksReason, usePeople, usePeopleChanges, usePerson } from './people.ts';
import styles from './why-fields.module.css';

interface WhyFieldsProps {
  readonly reason: string;
  readonly disabled?: boolean;
  readonly onReason: (reason: string) => void;
  /** Enter in the reason: does what the primary button does. */
  readonly onEnter?: (() => void) | undefined;
}

/** Before a write: why, and whose name it has; asked for once, while nobody is named. */
export function WhyFields({ reason, disabled = false, onReason, onEnter }: WhyFieldsProps) {
  const lacks = useLacksReason(reason);
  const person = usePerson();
  return (
    <section className={styles.why} aria-label={text.why.name}>
      {person ? (
        <span className={styles.as}>{text.why.as(person.name)}</span>
      ) : (
        <NameField disabled={disabled} />
      )}
      <TextInput
        className={styles.reason}
        size="xs"
        label={text.why.reason}
        placeholder={lacks ? text.why.demanded : text.why.reasonHint}
        aria-required={lacks || undefined}
        data-autofocus={lacks || undefined}
        value={reason}
        maxLength={mostReason}
        disabled={disabled}
        onChange={({ currentTarget: { value } }) => onReason(value)}
        onKeyDown={(event) => {
          if (isEnter(event)) onEnter?.();
        }}
      />
    </section>
  );
}

/** Takes the name as the field is left: the first save has it. */
function NameField({ disabled }: { readonly disabled: boolean }) {
  const { isSuccess } = usePeople();
  const { add } = usePeopleChanges();
  const [name, setName] = useState('');
  const take = () => {
    if (name.trim() !== '') add.mutate(name.trim());
  };
  if (!isSuccess) return null;
  return (
    <TextInput
      className={styles.you}
      size="xs"
      label={text.why.you}
      placeholder={text.why.youHint}
      value={name}
      maxLength={mostName}
      disabled={disabled}
      error={add.isError && text.people.unkept}
      onChange={({ currentTarget: { value } }) => setName(value)}
      onBlur={take}
      onKeyDown={(event) => {
        if (isEnter(event)) take();
      }}
    />
  );
}
