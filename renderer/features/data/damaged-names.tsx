import type { Comparison } from '../../../core/app/backups.ts';
import { Shortened } from '../../ui/shortened.tsx';
import { text } from '../../ui/text.ts';
import { ToneDot } from '../../ui/tone-dot.tsx';
import styles from './data.module.css';

const words = text.places;

/** Names that are shown; the others are counted. */
const most = 3;

interface ComparedProps {
  /** Null where nobody looked. */
  readonly compared: Comparison | null;
}

/** What a backup's making compared, and what it found. */
export function ComparedCell({ compared }: ComparedProps) {
  if (!compared) return <span className={styles.dim}>{words.notCompared}</span>;
  const { texts, damaged } = compared;
  if (damaged.length === 0) return <ToneDot tone="good" label={words.whole(texts)} />;
  return (
    <>
      <ToneDot tone="danger" label={words.damaged(texts, damaged.length)} />
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
        <li title={damaged.slice(most).map(nameOf).join('\n')}>{words.more(damaged.length - most)}</li>
      )}
    </ul>
  );
}

function nameOf({ type, id, version }: Comparison['damaged'][number]): string {
  return words.version(`${type}/${id}`, version);
}
