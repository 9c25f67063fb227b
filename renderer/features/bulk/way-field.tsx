import { NativeSelect } from '@mantine/core';
import { useMemo } from 'react';
import { listFixOptions } from '../../../core/fhir/fixes/offers.ts';
import { zoneOf } from '../../platform/zone.ts';
import { text } from '../../ui/text.ts';
import { localDay } from '../../ui/time.ts';
import styles from './bulk.module.css';
import type { OperationRow } from './operation-rows.ts';
import type { Sample } from './sample.ts';

/** Maximum number of records to examine: each is validated once per option. */
const maxExamined = 20;

interface WayFieldProps {
  readonly row: OperationRow;
  readonly number: number;
  readonly sample: Sample | undefined;
  readonly onChange: (row: OperationRow) => void;
}

/** Selects one of several options of a fix that the first records offer. Renders nothing if there is no choice. */
export function FixOptionField({ row, number, sample, onChange }: WayFieldProps) {
  const { way, ...rowWithoutOption } = row;
  const options = useMemo(() => {
    const records = (sample?.records ?? [])
      .slice(0, maxExamined)
      .map(({ target: { type }, root }) => ({ type, root }));
    return row.fix === '' ? [] : listFixOptions(records, row.fix, { today: localDay(), zoneOf });
  }, [sample, row.fix]);
  if (options.length === 0) return null;
  return (
    <NativeSelect
      className={styles.wide}
      label={text.bulk.way(number)}
      data={[
        { value: '', label: text.bulk.firstWay },
        ...options.map(({ id, words, findings }) => ({
          value: id,
          label: text.bulk.wayOf(words, findings),
        })),
      ]}
      value={way?.id ?? ''}
      onChange={({ currentTarget: { value } }) => {
        const option = options.find(({ id }) => id === value);
        onChange({ ...rowWithoutOption, ...(option && { way: { id: option.id, words: option.words } }) });
      }}
    />
  );
}
