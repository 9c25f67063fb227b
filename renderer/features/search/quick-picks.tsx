import type { SubjectCount } from '../../../core/app/models.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import { countOf } from '../../ui/format.ts';
import { text } from '../../ui/text.ts';
import { emptyCriteria, type Criteria } from './criteria.ts';
import styles from './search.module.css';

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
      <ul>
        {subjects.map(({ id, records }) => (
          <li key={id}>
            <button type="button" onClick={() => onSearch({ ...emptyCriteria, type, patient: id })}>
              <span className="mono">{id}</span>
              <span className={styles.count}>{countOf(records, 'record')}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
