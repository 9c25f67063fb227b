import { Button } from '@mantine/core';
import type { Backup } from '../../../core/app/backups.ts';
import { formatBytes } from '../../ui/format.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Shortened } from '../../ui/shortened.tsx';
import { TableHead } from '../../ui/table-head.tsx';
import { text } from '../../ui/text.ts';
import { exactTime, localTime } from '../../ui/time.ts';
import { ComparedCell } from './damaged-names.tsx';
import styles from './data.module.css';

const words = text.data.backups;
const { columns } = words;
const { places } = text;

interface BackupTableProps {
  readonly backups: readonly Backup[];
  readonly busy: boolean;
  readonly onRestore: (backup: Backup) => void;
}

/** The backups, newest first; where they lie, and what was compared. */
export function BackupTable({ backups, busy, onRestore }: BackupTableProps) {
  return (
    <table className={styles.table} aria-label={words.table}>
      <TableHead
        columns={[
          columns.time,
          columns.age,
          columns.kind,
          columns.name,
          places.place,
          places.compared,
          [columns.size, styles.number],
        ]}
        action={columns.action}
      />
      <tbody>
        {backups.map((backup) => (
          <tr key={`${backup.place}/${backup.name}`}>
            <th scope="row" className={styles.figures} title={exactTime(backup.time)}>
              {localTime(backup.time)}
            </th>
            <td>
              <RelativeTime instant={backup.time} />
            </td>
            <td>{words.kinds[backup.kind]}</td>
            <td className={`${styles.long} mono`}>
              <Shortened name={backup.name} end={'00-000Z-asked.db'.length} />
            </td>
            <td>{placeOf(backup)}</td>
            <td>
              <ComparedCell compared={backup.compared} />
            </td>
            <td className={styles.number}>{formatBytes(backup.bytes)}</td>
            <td className={styles.number}>
              <Button
                disabled={busy}
                aria-label={words.restore.startOf(backup.name)}
                onClick={() => onRestore(backup)}
              >
                {words.restore.start}
              </Button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function placeOf({ place, copied }: Backup): string {
  return copied && place === 'first' ? places.both : places[place];
}
