import type { SubjectCount } from '../../../core/app/models.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import { useNameOf } from '../../platform/subject-names.ts';
import { Shortened } from '../../ui/shortened.tsx';
import { countOf } from '../../ui/format.ts';
import { text } from '../../ui/text.ts';
import frame from '../../ui/view.module.css';
import { emptyCriteria, type Criteria } from './criteria.ts';
import styles from './search.module.css';

/** Letters of an id that always stand. */
const idEnd = 6;

interface QuickPicksProps {
  readonly subjects: readonly SubjectCount[];
  readonly type: ResourceType;
  readonly onSearch: (criteria: Criteria) => void;
}

/** Patients with the newest records, for someone who knows no id yet; each fills the form and searches. */
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

/** A patient by name, which may become known a moment later, and by id. */
function Pick({ id, records, onPick }: SubjectCount & { readonly onPick: () => void }) {
  const name = useNameOf(id);
  return (
    <button type="button" onClick={onPick}>
      {name !== undefined && <span>{name}</span>}
      <span className={name === undefined ? 'mono' : `${styles.pickId} mono`} title={id}>
        {name === undefined ? id : <Shortened name={id} end={idEnd} />}
      </span>
      <span className={styles.count}>{countOf(records, 'record')}</span>
    </button>
  );
}
