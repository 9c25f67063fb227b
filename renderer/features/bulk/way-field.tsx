import { NativeSelect } from '@mantine/core';
import { useMemo } from 'react';
import { waysIn } from '../../../core/fhir/fixes/offers.ts';
import { zoneOf } from '../../platform/zone.ts';
import { text } from '../../ui/text.ts';
import { localDay } from '../../ui/time.ts';
import styles from './bulk.module.css';
import type { OperationRow } from './operation-rows.ts';
import type { Sample } from './sample.ts';

/** Records whose findings are looked at: each is judged for each way. */
const mostLooked = 20;

interface WayFieldProps {
  readonly row: OperationRow;
  readonly number: number;
  readonly sample: Sample | undefined;
  readonly onChange: (row: OperationRow) => void;
}

/** Which of the ways of a fix is taken: those that the first records offer. Nothing where there is no choice. */
export function WayField({ row, number, sample, onChange }: WayFieldProps) {
  const { way, ...others } = row;
  const ways = useMemo(() => {
    const records = (sample?.records ?? [])
      .slice(0, mostLooked)
      .map(({ target: { type }, root }) => ({ type, root }));
    return row.fix === '' ? [] : waysIn(records, row.fix, { today: localDay(), zoneOf });
  }, [sample, row.fix]);
  if (ways.length === 0) return null;
  return (
    <NativeSelect
      className={styles.wide}
      label={text.bulk.way(number)}
      data={[
        { value: '', label: text.bulk.firstWay },
        ...ways.map(({ id, words, findings }) => ({
          value: id,
          label: text.bulk.wayOf(words, findings),
        })),
      ]}
      value={way?.id ?? ''}
      onChange={({ currentTarget: { value } }) => {
        const chosen = ways.find(({ id }) => id === value);
        onChange({ ...others, ...(chosen && { way: { id: chosen.id, words: chosen.words } }) });
      }}
    />
  );
}
