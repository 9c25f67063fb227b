import { Button, NativeSelect, Progress, TextInput } from '@mantine/core';
import { IconStethoscope } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { firstType, isResourceType, resourceTypes, type ResourceType } from '../../../core/fhir/resource.ts';
import { useConnection } from '../../platform/connection.ts';
import { mostChecked, type CheckState } from '../../platform/remote-check.ts';
import { FailureMessage } from '../../ui/failure-message.tsx';
import { toFailure } from '../../ui/failure.ts';
import { text } from '../../ui/text.ts';
import styles from './quality.module.css';
import { useCheck } from './use-check.ts';

const words = text.quality.remote;

/** The Quality view of another server: which records are judged by the page's own rules, and beneath it the worklist. */
export function RemoteQuality({ children }: { readonly children: ReactNode }) {
  const { host } = useConnection();
  const check = useCheck();
  const { now } = check;
  const [type, setType] = useState<ResourceType>(now.asked?.type ?? firstType);
  const [patient, setPatient] = useState(subjectOf(now));
  const checked = now.records.length;
  return (
    <div className={styles.remote}>
      <form
        className={styles.check}
        aria-label={words.form}
        onSubmit={(event) => {
          event.preventDefault();
          const subject = patient.trim();
          check.start({ type, pairs: subject === '' ? [] : [['subject', subject]] });
        }}
      >
        <p>{words.hint(host)}</p>
        <NativeSelect
          aria-label={text.search.type}
          data={[...resourceTypes]}
          value={type}
          onChange={({ currentTarget: { value } }) => {
            if (isResourceType(value)) setType(value);
          }}
        />
        <TextInput
          className={styles.checkPatient ?? ''}
          aria-label={text.search.patient}
          placeholder={words.patient}
          value={patient}
          spellCheck={false}
          autoComplete="off"
          onChange={({ currentTarget }) => setPatient(currentTarget.value)}
        />
        {now.phase === 'running' ? (
          <Button onClick={check.stop}>{words.stop}</Button>
        ) : (
          <Button type="submit" variant="filled" leftSection={<IconStethoscope size={16} aria-hidden />}>
            {words.check}
          </Button>
        )}
      </form>
      {now.phase !== 'none' && (
        <div className={styles.checkState} role="status">
          <span>{words.states[now.phase](checked, now.total, mostChecked)}</span>
          {now.phase === 'running' && (
            <Progress
              className={styles.checkBar ?? ''}
              aria-label={words.progress}
              value={now.total ? (checked / now.total) * 100 : 0}
            />
          )}
        </div>
      )}
      {now.phase === 'failed' && (
        <div className={styles.padded}>
          <FailureMessage title={words.failed} failure={toFailure(now.error)} />
        </div>
      )}
      {checked > 0 && <div className={styles.checkList}>{children}</div>}
    </div>
  );
}

function subjectOf({ asked }: CheckState): string {
  return asked?.pairs.find(([name]) => name === 'subject')?.[1] ?? '';
}
