import { Button } from '@mantine/core';
import type { ComparedBackup } from '../../../core/app/trust.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Shortened } from '../../ui/shortened.tsx';
import { text } from '../../ui/text.ts';
import { exactTime, localTime } from '../../ui/time.ts';
import { ComparedCell } from './damaged-names.tsx';
import styles from './data.module.css';

const words = text.data.backups;
const { columns } = words;
const { places } = text;

interface BackupTableProps {
  readonly backups: readonly ComparedBackup[];
  readonly busy: boolean;
  readonly onRestore: (backup: ComparedBackup) => void;
}

/** What is said of a kind that this page does not know is its own word. */
const kinds: Readonly<Record<string, string>> = words.kinds;

/** The backups, newest first; where they lie and what was compared, of a server that tells it. */
export function BackupTable({ backups, busy, onRestore }: BackupTableProps) {
  const placed = backups.some(({ place }) => place !== undefined);
  const compared = backups.some((backup) => backup.compared !== undefined);
  return (
    <table className={styles.table} aria-label={words.table}>
      <thead>
        <tr>
          <th>{columns.time}</th>
          <th>{columns.age}</th>
          <th>{columns.kind}</th>
          <th>{columns.name}</th>
          {placed && <th>{places.place}</th>}
          {compared && <th>{places.compared}</th>}
          <th className={styles.number}>{columns.size}</th>
          <th aria-label={columns.action} />
        </tr>
      </thead>
      <tbody>
        {backups.map((backup) => (
          <tr key={`${backup.place ?? ''}/${backup.name}`}>
            <th scope="row" className={styles.figures} title={exactTime(backup.time)}>
              {localTime(backup.time)}
            </th>
            <td>
              <RelativeTime instant={backup.time} />
            </td>
            <td>{kinds[backup.kind] ?? backup.kind}</td>
            <td className={`${styles.long} mono`}>
              <Shortened name={backup.name} end={'00-000Z-asked.db'.length} />
            </td>
            {placed && <td>{placeOf(backup)}</td>}
            {compared && (
              <td>
                <ComparedCell compared={backup.compared} />
              </td>
            )}
            <td className={styles.number}>{text.data.size(backup.bytes)}</td>
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

function placeOf({ place, copied }: ComparedBackup): string {
  if (place === undefined) return '';
  return copied && place === 'first' ? places.both : places[place];
}
