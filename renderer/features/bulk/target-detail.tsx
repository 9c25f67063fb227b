import { excerptOf } from '../../../core/app/excerpt.ts';
import { scan } from '../../../core/json/scan.ts';
import { ChangeHead } from '../../platform/change-list.tsx';
import { text } from '../../ui/text.ts';
import type { Target } from './bulk-state.ts';
import styles from './bulk.module.css';

const excerptLength = 60;

/** Change of a record, or the reason why it does not change. */
export function TargetDetail({ target }: { readonly target: Target }) {
  const { detail, changes = [], warnings = [] } = target;
  const [firstChange] = changes;
  if (detail !== undefined || !firstChange) return <>{detail}</>;
  return (
    <span className={styles.change}>
      <ChangeHead type={target.type} change={firstChange} />
      {!firstChange.isMoved && (
        <>
          <del>{formatExcerpt(firstChange.before)}</del>
          <ins>{formatExcerpt(firstChange.after)}</ins>
        </>
      )}
      {changes.length > 1 && <small>{text.bulk.more(changes.length - 1)}</small>}
      {warnings.length > 0 && <small className={styles.warns}>{text.bulk.warns(warnings.length)}</small>}
    </span>
  );
}

function formatExcerpt(json: string | undefined): string {
  return json === undefined ? text.bulk.nothing : excerptOf(scan(json).root, excerptLength);
}
