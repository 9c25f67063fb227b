import { Button } from '@mantine/core';
import { useState } from 'react';
import { useDates } from '../../ui/date-language.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { StatusChip } from '../../ui/status-chip.tsx';
import { TableHead } from '../../ui/table-head.tsx';
import table from '../../ui/table.module.css';
import { text } from '../../ui/text.ts';
import { exactDays } from '../../ui/time.ts';
import { timeWords } from '../../ui/timeline/time-words.ts';
import { findingsOf } from './patient-items.ts';
import type { PatientRecord } from './patient-records.ts';
import styles from './patient.module.css';

const messages = text.patient;

interface RecordListProps {
  readonly records: readonly PatientRecord[];
  /** Opens the record `type/id`. */
  readonly onOpen: (key: string) => void;
}

/** Maximum number of records before all are requested. */
const maxListed = 200;

/** Records of a patient, latest first. */
export function RecordList({ records, onOpen }: RecordListProps) {
  useDates();
  const [showsAll, setShowsAll] = useState(false);
  const { title, type, status, when, findings } = messages.columns;
  const hasFindings = records.some((record) => findingsOf(record) !== '');
  return (
    <>
      <table className={table.table} aria-label={messages.records}>
        <TableHead columns={[title, type, status, when, ...(hasFindings ? [findings] : [])]} />
        <tbody>
          {records.slice(0, showsAll ? records.length : maxListed).map((record) => {
            const { time, issues } = record;
            const key = `${record.type}/${record.id}`;
            return (
              <tr key={key}>
                <th scope="row">
                  <LinkButton title={key} onClick={() => onOpen(key)}>
                    {record.title}
                  </LinkButton>
                </th>
                <td>{record.type}</td>
                <td>
                  <StatusChip status={record.status} />
                </td>
                <td title={time && exactDays(time.start, time.end === time.start ? '' : time.end)}>
                  {time && timeWords(time)}
                </td>
                {hasFindings && (
                  <td className={styles.findings} data-errors={(issues?.errors ?? 0) > 0 || undefined}>
                    {findingsOf(record)}
                  </td>
                )}
              </tr>
            );
          })}
        </tbody>
      </table>
      {!showsAll && records.length > maxListed && (
        <Button variant="subtle" onClick={() => setShowsAll(true)}>
          {messages.showAll(records.length)}
        </Button>
      )}
    </>
  );
}
