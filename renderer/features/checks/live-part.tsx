import { NativeSelect } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import type { CheckTrial, TrialResult } from '../../../core/app/checks.ts';
import { expressionAt } from '../../../core/fhir/expression.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import { parsePointer } from '../../../core/json/pointer.ts';
import { useWorkbenchActions } from '../../platform/workbench-actions.ts';
import { text } from '../../ui/text.ts';
import { askedBy, type CheckDraft } from './check-draft.ts';
import styles from './checks.module.css';
import { useLive } from './use-checks.ts';

const words = text.checks;

/** Milliseconds without a key, after which the record is asked. */
const typingPause = 300;

/** What the check says of a record that is open in a tab, as it is there now, while it is written. */
export function LivePart({ draft }: { readonly draft: CheckDraft }) {
  const { recordsInHand } = useWorkbenchActions();
  const [records] = useState(recordsInHand);
  const [wanted, setWanted] = useState('');
  const own = records.filter(({ type }) => type === draft.type);
  const record = own.find(({ id }) => id === wanted) ?? own[0];
  const [settled] = useDebouncedValue(draft, typingPause);
  const isWritten = settled.type === draft.type && settled.holds.trim() !== '';
  const asked: CheckTrial | undefined =
    record && isWritten ? { ...askedBy(settled), record: record.text } : undefined;
  const { data } = useLive(asked);
  return (
    <section className={styles.live} aria-label={words.live}>
      <h3>{words.live}</h3>
      {record ? (
        <>
          <NativeSelect
            aria-label={words.liveRecord}
            data={own.map(({ id, title }) => ({ value: id, label: title }))}
            value={record.id}
            onChange={({ currentTarget }) => setWanted(currentTarget.value)}
          />
          <p aria-live="polite">{data && asked && <Verdict result={data} type={record.type} />}</p>
        </>
      ) : (
        <p className={styles.dim}>{words.liveNone(draft.type)}</p>
      )}
    </section>
  );
}

function Verdict({ result, type }: { readonly result: TrialResult; readonly type: ResourceType }) {
  const [unasked] = result.unasked;
  if (unasked) return words.verdicts.skipped(unasked.why ?? '');
  if (result.applied === 0) return words.verdicts.none;
  const pointers = result.broken[0]?.pointers;
  if (!pointers) return words.verdicts.holds;
  return (
    <>
      {words.verdicts.broken}{' '}
      {pointers.map((pointer) => (
        <Place key={pointer} pointer={pointer} type={type} />
      ))}
    </>
  );
}

/** An element as people write it: `activity[0].detail.status`; the whole record in words. */
export function Place({ pointer, type }: { readonly pointer: string; readonly type: ResourceType }) {
  if (pointer === '') return <span className={styles.dim}>{words.whole}</span>;
  return <code>{expressionAt(type, parsePointer(pointer) ?? []).slice(type.length + 1)}</code>;
}
