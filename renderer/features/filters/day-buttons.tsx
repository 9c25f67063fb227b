import type { ResourceType } from '../../../core/fhir/resource.ts';
import type { Pair } from '../../../core/fhir/search.ts';
import { moveByArrows } from './arrows.ts';
import { asks, dayGroups, withDay } from './days.ts';
import styles from './filters.module.css';

interface DayButtonsProps {
  readonly type: ResourceType;
  readonly pairs: readonly Pair[];
  readonly onPairs: (pairs: readonly Pair[]) => void;
}

/** What is asked for by the day, without counts: nobody needs to know how a date is compared. */
export function DayButtons({ type, pairs, onPairs }: DayButtonsProps) {
  return dayGroups(type).map((group) => (
    <section key={group.name} className={styles.facet}>
      <h3 aria-hidden>{group.name}</h3>
      <div role="group" aria-label={group.name} className={styles.days} onKeyDown={moveByArrows}>
        {group.choices.map((choice) => (
          <button
            key={choice.label}
            type="button"
            className={styles.day}
            aria-pressed={asks(pairs, choice)}
            title={choice.pair.join(' ')}
            onClick={() => onPairs(withDay(pairs, group, choice))}
          >
            {choice.label}
          </button>
        ))}
      </div>
    </section>
  ));
}
