/**
 * features/connections shows which server the page works on, and asks for access where it has none.
 * The app shell mounts it. Invariant: the connection's name and colour are always in sight; a token never is.
 */
import { useConnection } from '../../platform/connection.ts';
import { formatCount } from '../../ui/format.ts';
import type { Overview } from '../../../core/app/models.ts';
import { text } from '../../ui/text.ts';
import styles from './connections.module.css';

/** The connection's name in its colour, and how many records it holds; how many of which type is in the tooltip. */
export function ConnectionBadge({ overview }: { readonly overview: Overview | undefined }) {
  const { name, host, color } = useConnection();
  return (
    <div className={styles.badge} title={host}>
      <span className={styles.swatch} style={{ background: color }} aria-hidden />
      <strong>{name}</strong>
      {overview && <Count counts={overview.counts} />}
    </div>
  );
}

function Count({ counts }: Pick<Overview, 'counts'>) {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const parts = Object.entries(counts).map(
    ([type, count]) => `${formatCount(count)} ${text.frame.plural(type, count)}`,
  );
  return (
    <span className={styles.fact} title={parts.join(', ')}>
      {text.frame.records} <span className={styles.number}>{formatCount(total)}</span>
    </span>
  );
}
