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

const messages = text.record.create;

interface NewRecordDialogProps {
  readonly type: ResourceType;
  /** Patient of the active search; empty if it has none. */
  readonly patient: string;
  readonly onClose: () => void;
  readonly onBegin: (type: ResourceType, json: string) => void;
}

/** Asks for the elements that R4 requires of a new record and that have no default. */
export function NewRecordDialog({ type: initialType, patient, onClose, onBegin }: NewRecordDialogProps) {
  const [type, setType] = useState(initialType);
  const [answersByPointer, setAnswersByPointer] = useState<ReadonlyMap<string, string>>(new Map());
  const { questions } = definitionOf(type).newRecord;
  const getAnswer = (pointer: string, kind: string) =>
    answersByPointer.get(pointer) ?? (kind === 'subject' ? patient : '');
  return (
    <Modal
      opened
      onClose={onClose}
      title={messages.title}
      size={440}
      yOffset={96}
      classNames={{ header: sheet.head ?? '', body: sheet.formBody ?? '' }}
      closeButtonProps={{ 'aria-label': messages.cancel }}
    >
      <form
        className={sheet.form}
        onSubmit={(event) => {
          event.preventDefault();
          const answers = new Map(questions.map(({ pointer, kind }) => [pointer, getAnswer(pointer, kind)]));
          onBegin(type, newRecord(type, answers, localDay()));
        }}
      >
        <NativeSelect
          label={messages.type}
          data={[...resourceTypes]}
          value={type}
          onChange={({ currentTarget: { value } }) => isResourceType(value) && setType(value)}
        />
        {questions.map(({ id, pointer, kind }, index) => (
          <TextInput
            key={pointer}
            label={text.types.question(type, id)}
            {...(kind === 'subject' && { placeholder: messages.patientHint, classNames: { input: 'mono' } })}
            data-autofocus={index === 0 || undefined}
            spellCheck={kind === 'text'}
            autoComplete="off"
            value={getAnswer(pointer, kind)}
            onChange={({ currentTarget: { value } }) =>
              setAnswersByPointer((previous) => new Map(previous).set(pointer, value))
            }
          />
        ))}
        <p className={sheet.formHint}>{messages.detail}</p>
        <div className={sheet.formActions}>
          <Button onClick={onClose}>{messages.cancel}</Button>
          <Button type="submit" variant="filled">
            {messages.open}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
