import type { SubjectCount } from '../../../core/app/models.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import { useNameOf } from '../../platform/subject-names.ts';
import { TruncatedText } from '../../ui/truncated-text.tsx';
import { text } from '../../ui/text.ts';
import frame from '../../ui/view.module.css';
import { emptyCriteria, type Criteria } from './criteria.ts';
import styles from './search.module.css';

/** Final letters of an ID that are always visible. */
const idEnd = 6;

interface QuickPicksProps {
  readonly subjects: readonly SubjectCount[];
  readonly type: ResourceType;
  readonly onSearch: (criteria: Criteria) => void;
}

/** Patients with the latest records, for users who know no ID. Each fills the form and searches. */
export function QuickPicks({ subjects, type, onSearch }: QuickPicksProps) {
  if (subjects.length === 0) return null;
  return (
    <section className={styles.picks}>
      <h3>{text.start.picks}</h3>
      <ul className={frame.picks}>
        {subjects.map(({ id, records }) => (
          <li key={id}>
            <Pick
              id={id}
              records={records}
              onPick={() => onSearch({ ...emptyCriteria, type, patient: id })}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** A patient by ID and by name. The name may arrive later. */
function Pick({ id, records, onPick }: SubjectCount & { readonly onPick: () => void }) {
  const name = useNameOf(id);
  return (
    <button type="button" onClick={onPick}>
      {name !== undefined && <span>{name}</span>}
      <span className={name === undefined ? 'mono' : `${styles.pickId} mono`} title={id}>
        {name === undefined ? id : <TruncatedText name={id} end={idEnd} />}
      </span>
      <span className={styles.count}>{text.start.records(records)}</span>
    </button>
  );
}
