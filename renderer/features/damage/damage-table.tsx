import { Button } from '@mantine/core';
import { useLacks } from '../../platform/app-queries.ts';
import type { DamagedVersion } from '../../../core/app/damage.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { TableHead } from '../../ui/table-head.tsx';
import table from '../../ui/table.module.css';
import { text } from '../../ui/text.ts';
import { exactTime, localTime } from '../../ui/time.ts';
import styles from './damage.module.css';

const messages = text.damage;

interface DamageTableProps {
  readonly records: readonly DamagedVersion[];
  readonly onMend: (record: DamagedVersion) => void;
}

/** Damaged texts, each with the latest backup that contains an intact copy. */
export function DamageTable({ records, onMend }: DamageTableProps) {
  return (
    <table className={table.table} aria-label={messages.name}>
      <TableHead columns={Object.values(messages.columns)} />
      <tbody>
        {records.map((record) => (
          <DamageRow key={`${nameOf(record)}/${record.version}`} record={record} onMend={onMend} />
        ))}
      </tbody>
    </table>
  );
}

/** Formats a record name: `CarePlan/17`. */
export function nameOf({ type, id }: Pick<DamagedVersion, 'type' | 'id'>): string {
  return `${type}/${id}`;
}

/**
 * Returns true if a version can be repaired: the current version by any intact text, an older one only by its own
 * copy.
 */
function isRepairable({ current, version, backups }: DamagedVersion): boolean {
  return current || backups.some((copy) => copy.version === version);
}

interface DamageRowProps extends Pick<DamageTableProps, 'onMend'> {
  readonly record: DamagedVersion;
}

function DamageRow({ record, onMend }: DamageRowProps) {
  const name = nameOf(record);
  const noBackupText = useLacks('backups') ? messages.databaseBackups : messages.noBackup;
  const { version, current, noticed: noticedTime, backups } = record;
  const [latestBackup, ...otherBackups] = backups;
  return (
    <tr>
      <th scope="row" className={`${styles.record} mono`}>
        {name}
      </th>
      <td>{current ? messages.current(version) : messages.former(version)}</td>
      <td>
        <RelativeTime instant={noticedTime} />
      </td>
      <td>
        {latestBackup ? (
          <span title={`${latestBackup.name}, ${exactTime(latestBackup.time)}`}>
            {messages.inBackup(localTime(latestBackup.time), latestBackup.version)}{' '}
            {otherBackups.length > 0 && (
              <span className="dim">{messages.moreBackups(otherBackups.length)}</span>
            )}
          </span>
        ) : (
          noBackupText
        )}
      </td>
      <td className={table.end}>
        {isRepairable(record) ? (
          <Button aria-label={messages.mend.startOf(name)} onClick={() => onMend(record)}>
            {messages.mend.start}
          </Button>
        ) : (
          <span className="dim">{messages.formerWhole}</span>
        )}
      </td>
    </tr>
  );
}
