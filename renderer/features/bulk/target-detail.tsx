import { excerptOf } from '../../../core/app/excerpt.ts';
import { scan } from '../../../core/json/scan.ts';
import { ChangeHead } from '../../platform/change-list.tsx';
import { text } from '../../ui/text.ts';
import type { Target } from './bulk-state.ts';
import styles from './bulk.module.css';

const excerptLength = 60;

/** What a record changes in, or why it does not. */
export function TargetDetail({ target }: { readonly target: Target }) {
  const { detail, changes = [], warnings = [] } = target;
  const [first] = changes;
  if (detail !== undefined || !first) return <>{detail}</>;
  return (
    <span className={styles.change}>
      <ChangeHead type={target.type} change={first} />
      {!first.moved && (
        <>
          <del>{shortOf(first.before)}</del>
          <ins>{shortOf(first.after)}</ins>
        </>
      )}
      {changes.length > 1 && <small>{text.bulk.more(changes.length - 1)}</small>}
      {warnings.length > 0 && <small className={styles.warns}>{text.bulk.warns(warnings.length)}</small>}
    </span>
  );
}

function shortOf(json: string | undefined): string {
  return json === undefined ? text.bulk.nothing : excerptOf(scan(json).root, excerptLength);
}
