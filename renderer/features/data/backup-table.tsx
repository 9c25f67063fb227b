import { Button } from '@mantine/core';
import type { Backup, Comparison } from '../../../core/app/backups.ts';
import { formatBytes } from '../../ui/format.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { TruncatedText } from '../../ui/truncated-text.tsx';
import { TableHead } from '../../ui/table-head.tsx';
import { text } from '../../ui/text.ts';
import { exactTime, localTime } from '../../ui/time.ts';
import { ToneDot } from '../../ui/tone-dot.tsx';
import styles from './data.module.css';

const messages = text.data.backups;
const { columns } = messages;
const { places } = text;

interface BackupTableProps {
  readonly backups: readonly Backup[];
  readonly busy: boolean;
  readonly onRestore: (backup: Backup) => void;
}

/** Backups with their location and integrity check, latest first. */
export function BackupTable({ backups, busy, onRestore }: BackupTableProps) {
  return (
    <table className={styles.table} aria-label={messages.table}>
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
            <td>{messages.kinds[backup.kind]}</td>
            <td className={`${styles.long} mono`}>
              <TruncatedText name={backup.name} end={'00-000Z-0012-asked.db'.length} />
            </td>
            <td>{formatPlace(backup)}</td>
            <td>
              <ComparedCell comparison={backup.compared} />
            </td>
            <td className={styles.number}>{formatBytes(backup.bytes)}</td>
            <td className={styles.number}>
              <Button
                disabled={busy}
                aria-label={messages.restore.startOf(backup.name)}
                onClick={() => onRestore(backup)}
              >
                {messages.restore.start}
              </Button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function formatPlace({ place, copied: isCopied }: Backup): string {
  return isCopied && place === 'first' ? places.both : places[place];
}

/** Maximum number of visible names. Further names are counted. */
const maxNames = 3;

interface ComparedProps {
  /** Null if the backup was not checked. */
  readonly comparison: Comparison | null;
}

/** Result of the integrity check when the backup was made. */
function ComparedCell({ comparison }: ComparedProps) {
  if (!comparison) return <span className="dim">{places.notCompared}</span>;
  const { texts, damaged: damagedTexts } = comparison;
  if (damagedTexts.length === 0) return <ToneDot tone="good" label={places.whole(texts)} />;
  return (
    <>
      <ToneDot tone="danger" label={places.damaged(texts, damagedTexts.length)} />
      <DamagedNames comparison={comparison} />
    </>
  );
}

/** Damaged texts in a backup. Renders nothing if there are none. */
export function DamagedNames({ comparison }: ComparedProps) {
  const damagedTexts = comparison?.damaged ?? [];
  if (damagedTexts.length === 0) return null;
  return (
    <ul className={styles.names}>
      {damagedTexts.slice(0, maxNames).map((version) => (
        <li key={nameOf(version)} className="mono">
          <TruncatedText name={nameOf(version)} end={'0000 version 1'.length} />
        </li>
      ))}
      {damagedTexts.length > maxNames && (
        <li title={damagedTexts.slice(maxNames).map(nameOf).join('\n')}>
          {places.more(damagedTexts.length - maxNames)}
        </li>
      )}
    </ul>
  );
}

function nameOf({ type, id, version }: Comparison['damaged'][number]): string {
  return places.version(`${type}/${id}`, version);
}
