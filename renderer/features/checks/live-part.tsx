import { NativeSelect } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import type { CheckTrial, TrialResult } from '../../../core/app/checks.ts';
import { expressionAt } from '../../../core/fhir/validation/finding.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import { parsePointer } from '../../../core/json/pointer.ts';
import { useWorkbenchActions } from '../../platform/workbench-actions.ts';
import { text } from '../../ui/text.ts';
import { pickCheckExpressions, type CheckDraft } from './check-draft.ts';
import styles from './checks.module.css';
import { useLive } from './use-checks.ts';

const messages = text.checks;

/** Pause in typing before the record is checked, in milliseconds. */
const typingPauseMs = 300;

/** Result of the draft for a record that is open in a tab, with its current text. */
export function LivePart({ draft }: { readonly draft: CheckDraft }) {
  const { loadedRecords } = useWorkbenchActions();
  const [records] = useState(loadedRecords);
  const [selectedId, setSelectedId] = useState('');
  const matchingRecords = records.filter(({ type }) => type === draft.type);
  const record = matchingRecords.find(({ id }) => id === selectedId) ?? matchingRecords[0];
  const [settledDraft] = useDebouncedValue(draft, typingPauseMs);
  const isWritten = settledDraft.type === draft.type && settledDraft.holds.trim() !== '';
  const trial: CheckTrial | undefined =
    record && isWritten ? { ...pickCheckExpressions(settledDraft), record: record.text } : undefined;
  const { data } = useLive(trial);
  return (
    <section className={styles.live} aria-label={messages.live}>
      <h3>{messages.live}</h3>
      {record ? (
        <>
          <NativeSelect
            aria-label={messages.liveRecord}
            data={matchingRecords.map(({ id, title }) => ({ value: id, label: title }))}
            value={record.id}
            onChange={({ currentTarget }) => setSelectedId(currentTarget.value)}
          />
          <p aria-live="polite">{data && trial && <LiveResult result={data} type={record.type} />}</p>
        </>
      ) : (
        <p className={styles.dim}>{messages.liveNone(draft.type)}</p>
      )}
    </section>
  );
}

function LiveResult({ result, type }: { readonly result: TrialResult; readonly type: ResourceType }) {
  const [skippedRecord] = result.unasked;
  if (skippedRecord) return messages.verdicts.skipped(skippedRecord.why ?? '');
  if (result.applied === 0) return messages.verdicts.none;
  const pointers = result.broken[0]?.pointers;
  if (!pointers) return messages.verdicts.holds;
  return (
    <>
      {messages.verdicts.broken} ·{' '}
      {pointers.map((pointer) => (
        <ElementExpression key={pointer} pointer={pointer} type={type} />
      ))}
    </>
  );
}

/** An element in FHIRPath: `activity[0].detail.status`, or a label for the whole record. */
export function ElementExpression({
  pointer,
  type,
}: {
  readonly pointer: string;
  readonly type: ResourceType;
}) {
  if (pointer === '') return <span className={styles.dim}>{messages.whole}</span>;
  return <code>{expressionAt(type, parsePointer(pointer) ?? []).slice(type.length + 1)}</code>;
}
