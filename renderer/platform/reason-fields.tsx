import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { maxNameLength, maxReasonLength } from '../../core/app/authorship.ts';
import { isEnter } from '../ui/enter.ts';
import { text } from '../ui/text.ts';
import { useIsReasonMissing, usePeople, usePeopleChanges, usePerson } from './people.ts';
import styles from './reason-fields.module.css';

interface WhyFieldsProps {
  readonly reason: string;
  readonly disabled?: boolean;
  readonly onReason: (reason: string) => void;
  /** Handles Enter in the reason field, like the primary button. */
  readonly onEnter?: (() => void) | undefined;
}

/** Fields for the reason of a write, and for the name while no person is selected. */
export function WhyFields({ reason, disabled = false, onReason, onEnter }: WhyFieldsProps) {
  const isReasonMissing = useIsReasonMissing(reason);
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
        placeholder={isReasonMissing ? text.why.demanded : text.why.reasonHint}
        aria-required={isReasonMissing || undefined}
        data-autofocus={isReasonMissing || undefined}
        value={reason}
        maxLength={maxReasonLength}
        disabled={disabled}
        onChange={({ currentTarget: { value } }) => onReason(value)}
        onKeyDown={(event) => {
          if (isEnter(event)) onEnter?.();
        }}
      />
    </section>
  );
}

/** Stores the name when the field loses the focus, so that the first save has it. */
function NameField({ disabled }: { readonly disabled: boolean }) {
  const { isSuccess } = usePeople();
  const { add } = usePeopleChanges();
  const [name, setName] = useState('');
  const addName = () => {
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
      maxLength={maxNameLength}
      disabled={disabled}
      error={add.isError && text.people.unkept}
      onChange={({ currentTarget: { value } }) => setName(value)}
      onBlur={addName}
      onKeyDown={(event) => {
        if (isEnter(event)) addName();
      }}
    />
  );
}
