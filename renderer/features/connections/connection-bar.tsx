/**
 * features/connections shows which server the page works on, and asks for access where it has none.
 * The app shell mounts it. Invariant: the connection's name and colour are always in sight; a token never is.
 */
import { useConnection } from '../../platform/connection.ts';
import { formatCount } from '../../ui/format.ts';
import type { Overview } from '../../../core/app/models.ts';
import { text } from '../../ui/text.ts';
import styles from './connections.module.css';

/** The connection's name in its colour, its host, and what it holds. */
export function ConnectionBadge({ overview }: { readonly overview: Overview | undefined }) {
  const { name, host, color } = useConnection();
  return (
    <div className={styles.badge}>
      <span className={styles.swatch} style={{ background: color }} aria-hidden />
      <strong>{name}</strong>
      <span className={styles.dim}>{host}</span>
      {overview &&
        Object.entries(overview.counts).map(([type, count]) => (
          <span key={type} className={styles.fact}>
            <span className={styles.number}>{formatCount(count)}</span> {text.frame.plural(type, count)}
          </span>
        ))}
    </div>
  );
}
