import { Button, Modal, NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { newRecord } from '../../../core/fhir/new-record.ts';
import {
  definitionOf,
  isResourceType,
  resourceTypes,
  type ResourceType,
} from '../../../core/fhir/resource.ts';
import sheet from '../../ui/sheet.module.css';
import { text } from '../../ui/text.ts';
import { localDay } from '../../ui/time.ts';

const words = text.record.create;

interface NewRecordDialogProps {
  readonly type: ResourceType;
  /** Whom the search in front is about; empty where it says nothing. */
  readonly patient: string;
  readonly onClose: () => void;
  readonly onBegin: (type: ResourceType, json: string) => void;
}

/** Asks what R4 demands of a new record and what nobody else can say. */
export function NewRecordDialog({ type: first, patient, onClose, onBegin }: NewRecordDialogProps) {
  const [type, setType] = useState(first);
  const [answers, setAnswers] = useState<ReadonlyMap<string, string>>(new Map());
  const { asks } = definitionOf(type).begin;
  const answerTo = (pointer: string, as: string) => answers.get(pointer) ?? (as === 'subject' ? patient : '');
  return (
    <Modal
      opened
      onClose={onClose}
      title={words.title}
      size={440}
      yOffset={96}
      classNames={{ header: sheet.head ?? '', body: sheet.formBody ?? '' }}
      closeButtonProps={{ 'aria-label': words.cancel }}
    >
      <form
        className={sheet.form}
        onSubmit={(event) => {
          event.preventDefault();
          const said = new Map(asks.map(({ pointer, as }) => [pointer, answerTo(pointer, as)]));
          onBegin(type, newRecord(type, said, localDay()));
        }}
      >
        <NativeSelect
          label={words.type}
          data={[...resourceTypes]}
          value={type}
          onChange={({ currentTarget: { value } }) => isResourceType(value) && setType(value)}
        />
        {asks.map(({ label, pointer, as }, index) => (
          <TextInput
            key={pointer}
            label={label}
            {...(as === 'subject' && { placeholder: words.patientHint, classNames: { input: 'mono' } })}
            data-autofocus={index === 0 || undefined}
            spellCheck={as === 'text'}
            autoComplete="off"
            value={answerTo(pointer, as)}
            onChange={({ currentTarget: { value } }) => setAnswers((now) => new Map(now).set(pointer, value))}
          />
        ))}
        <p className={sheet.formHint}>{words.detail}</p>
        <div className={sheet.formActions}>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button type="submit" variant="filled">
            {words.open}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
