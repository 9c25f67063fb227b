import { Button } from '@mantine/core';
import type { Backup, Comparison } from '../../../core/app/backups.ts';
import { formatBytes } from '../../ui/format.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Shortened } from '../../ui/shortened.tsx';
import { TableHead } from '../../ui/table-head.tsx';
import { text } from '../../ui/text.ts';
import { exactTime, localTime } from '../../ui/time.ts';
import { ToneDot } from '../../ui/tone-dot.tsx';
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
              <Shortened name={backup.name} end={'00-000Z-0012-asked.db'.length} />
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

/** Names that are shown; the others are counted. */
const most = 3;

interface ComparedProps {
  /** Null where nobody looked. */
  readonly compared: Comparison | null;
}

/** What a backup's making compared, and what it found. */
function ComparedCell({ compared }: ComparedProps) {
  if (!compared) return <span className="dim">{places.notCompared}</span>;
  const { texts, damaged } = compared;
  if (damaged.length === 0) return <ToneDot tone="good" label={places.whole(texts)} />;
  return (
    <>
      <ToneDot tone="danger" label={places.damaged(texts, damaged.length)} />
      <DamagedNames compared={compared} />
    </>
  );
}

/** The damaged texts that a backup holds; nothing where it holds none. */
export function DamagedNames({ compared }: ComparedProps) {
  const damaged = compared?.damaged ?? [];
  if (damaged.length === 0) return null;
  return (
    <ul className={styles.names}>
      {damaged.slice(0, most).map((one) => (
        <li key={nameOf(one)} className="mono">
          <Shortened name={nameOf(one)} end={'0000 version 1'.length} />
        </li>
      ))}
      {damaged.length > most && (
        <li title={damaged.slice(most).map(nameOf).join('\n')}>{places.more(damaged.length - most)}</li>
      )}
    </ul>
  );
}

function nameOf({ type, id, version }: Comparison['damaged'][number]): string {
  return places.version(`${type}/${id}`, version);
}
