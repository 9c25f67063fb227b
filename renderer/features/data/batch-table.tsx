import { Button } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { Fragment, useState } from 'react';
import { writerOf } from '../../../core/app/authorship.ts';
import type { ImportBatch } from '../../../core/app/batches.ts';
import { resourceTypes } from '../../../core/fhir/resource.ts';
import { batchParameter } from '../../../core/fhir/search.ts';
import { useWorkbenchActions } from '../../platform/workbench-actions.ts';
import { formatCount } from '../../ui/format.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { TableHead } from '../../ui/table-head.tsx';
import { text } from '../../ui/text.ts';
import { exactTime, localTime } from '../../ui/time.ts';
import { TruncatedText } from '../../ui/truncated-text.tsx';
import { BatchLineTable } from './batch-lines.tsx';
import styles from './data.module.css';
import { useBatchDetail } from './use-batches.ts';

const messages = text.batches;
const { columns } = messages;
const columnCount = 7;

/** Final letters of a name that are always visible. */
const nameEnd = 12;

/** Returns the name of a batch, or how and when it came. */
export function nameOfBatch({ name, form, time }: ImportBatch): string {
  return name === '' ? `${messages.unnamed} (${messages.forms[form]}, ${localTime(time)})` : name;
}

interface BatchTableProps {
  readonly batches: readonly ImportBatch[];
  readonly onUndo: (batch: ImportBatch) => void;
  readonly onCompare: (batch: ImportBatch) => void;
}

/** Batches, latest first. A row opens into the lines of the import. */
export function BatchTable({ batches, onUndo, onCompare }: BatchTableProps) {
  const [openId, setOpenId] = useState<string>();
  return (
    <table className={styles.table} aria-label={messages.table}>
      <TableHead
        columns={[
          columns.name,
          columns.time,
          columns.who,
          [columns.stored, styles.number],
          columns.since,
          [columns.issues, styles.number],
        ]}
        action={columns.action}
      />
      <tbody>
        {batches.map((batch) => (
          <Fragment key={batch.id}>
            <BatchRow
              batch={batch}
              isOpen={openId === batch.id}
              onToggle={() => setOpenId(openId === batch.id ? undefined : batch.id)}
              onUndo={() => onUndo(batch)}
            />
            {openId === batch.id && (
              <tr>
                <td colSpan={columnCount} className={styles.about}>
                  <div className={`${styles.row} ${styles.batchActions}`}>
                    <RecordButtons batch={batch} name={nameOfBatch(batch)} />
                    <Button
                      aria-label={messages.compare.startOf(nameOfBatch(batch))}
                      onClick={() => onCompare(batch)}
                    >
                      {messages.compare.start}
                    </Button>
                  </div>
                  <BatchLineTable batch={batch} />
                </td>
              </tr>
            )}
          </Fragment>
        ))}
      </tbody>
    </table>
  );
}

interface BatchRowProps {
  readonly batch: ImportBatch;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  readonly onUndo: () => void;
}

function BatchRow({ batch, isOpen, onToggle, onUndo }: BatchRowProps) {
  const { state, time, counts } = batch;
  const name = nameOfBatch(batch);
  const Icon = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <tr>
      <th scope="row" className={styles.long}>
        <Button
          variant="subtle"
          aria-expanded={isOpen}
          aria-label={messages.showLines(name)}
          leftSection={<Icon size={14} aria-hidden />}
          onClick={onToggle}
        >
          <TruncatedText name={name} end={nameEnd} />
        </Button>
      </th>
      <td title={exactTime(time)}>
        <RelativeTime instant={time} />
      </td>
      <td>
        {writerOf(batch)} <span className="dim">{messages.forms[batch.form]}</span>
      </td>
      <td className={styles.number}>{formatCount(counts.stored)}</td>
      <StateCells batch={batch} />
      <td className={styles.number}>
        <div className={styles.actions}>
          <WorklistButton batch={batch} name={name} />
          {state !== 'undone' && state !== 'running' && (
            <Button aria-label={messages.undo.startOf(name)} onClick={onUndo}>
              {messages.undo.start}
            </Button>
          )}
        </div>
      </td>
    </tr>
  );
}

/** State of the records since the import, and how many have issues. */
function StateCells({ batch }: { readonly batch: ImportBatch }) {
  const { data } = useBatchDetail(batch);
  const { state, undone, counts } = batch;
  const { records } = data ?? {};
  return (
    <>
      <td>
        {undone && <div>{messages.undoneBy(writerOf(undone), localTime(undone.time))}</div>}
        {state === 'running' && <div>{messages.states.running}</div>}
        {state === 'stopped' && <div>{messages.stoppedAfter(counts.stored)}</div>}
        {records === undefined
          ? messages.loading
          : counts.stored > 0 && messages.since(records.changed, records.asImported)}
        {records && records.removed > 0 && <>, {messages.removed(records.removed)}</>}
      </td>
      <td className={styles.number}>{records && formatCount(records.withIssues)}</td>
    </>
  );
}

interface NamedBatch {
  readonly batch: ImportBatch;
  readonly name: string;
}

/** Opens the worklist with the issues of a batch. */
function WorklistButton({ batch, name }: NamedBatch) {
  const { worklistOf } = useWorkbenchActions();
  const { data } = useBatchDetail(batch);
  if (!data || data.records.withIssues === 0) return null;
  return (
    <Button
      aria-label={messages.openWorklistOf(name)}
      onClick={() => worklistOf({ batch: batch.id, batchName: name })}
    >
      {messages.openWorklist}
    </Button>
  );
}

/** Buttons that search the records of a batch. */
function RecordButtons({ batch, name }: NamedBatch) {
  const { search } = useWorkbenchActions();
  const { data } = useBatchDetail(batch);
  if (!data || data.records.asImported + data.records.changed === 0) return null;
  return resourceTypes.map((type) => (
    <Button
      key={type}
      aria-label={messages.showRecordsOf(type, name)}
      onClick={() => search([[batchParameter, batch.id]], type)}
    >
      {messages.showRecords(type)}
    </Button>
  ));
}
