import { Button } from '@mantine/core';
import { useLacks } from '../../platform/app-queries.ts';
import type { DamagedVersion } from '../../../core/app/damage.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { TableHead } from '../../ui/table-head.tsx';
import table from '../../ui/table.module.css';
import { text } from '../../ui/text.ts';
import { exactTime, localTime } from '../../ui/time.ts';
import styles from './damage.module.css';

const words = text.damage;

interface DamageTableProps {
  readonly records: readonly DamagedVersion[];
  readonly onMend: (record: DamagedVersion) => void;
}

/** The damaged texts, each with the newest backup that holds the record whole. */
export function DamageTable({ records, onMend }: DamageTableProps) {
  return (
    <table className={table.table} aria-label={words.name}>
      <TableHead columns={Object.values(words.columns)} />
      <tbody>
        {records.map((record) => (
          <DamageRow key={`${nameOf(record)}/${record.version}`} record={record} onMend={onMend} />
        ))}
      </tbody>
    </table>
  );
}

/** `CarePlan/17`. */
export function nameOf({ type, id }: Pick<DamagedVersion, 'type' | 'id'>): string {
  return `${type}/${id}`;
}

/** The newest version is mended by any whole text; one of the history comes back as it was, or not at all. */
function isMendable({ current, version, backups }: DamagedVersion): boolean {
  return current || backups.some((copy) => copy.version === version);
}

interface DamageRowProps extends Pick<DamageTableProps, 'onMend'> {
  readonly record: DamagedVersion;
}

function DamageRow({ record, onMend }: DamageRowProps) {
  const name = nameOf(record);
  const noBackup = useLacks('backups') ? words.databaseBackups : words.noBackup;
  const { version, current, noticed, backups } = record;
  const [newest, ...others] = backups;
  return (
    <tr>
      <th scope="row" className={`${styles.record} mono`}>
        {name}
      </th>
      <td>{current ? words.current(version) : words.former(version)}</td>
      <td>
        <RelativeTime instant={noticed} />
      </td>
      <td>
        {newest ? (
          <span title={`${newest.name}, ${exactTime(newest.time)}`}>
            {words.inBackup(localTime(newest.time), newest.version)}{' '}
            {others.length > 0 && <span className="dim">{words.moreBackups(others.length)}</span>}
          </span>
        ) : (
          noBackup
        )}
      </td>
      <td className={table.end}>
        {isMendable(record) ? (
          <Button aria-label={words.mend.startOf(name)} onClick={() => onMend(record)}>
            {words.mend.start}
          </Button>
        ) : (
          <span className="dim">{words.formerWhole}</span>
        )}
      </td>
    </tr>
  );
}
