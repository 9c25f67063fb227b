import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useState } from 'react';
import styles from './filters.module.css';
import { text } from '../../ui/text.ts';
import { sameChoice } from './narrowing.ts';
import { ValueButton, type Choosing, type Shown } from './value-button.tsx';

/** Years that are shown at first. */
const usualYears = 6;

interface YearsProps extends Choosing {
  readonly entries: readonly Shown[];
}

/** Months under their years, the latest first. A period reaches into many months, so a year has no sum of its own. */
export function Years({ entries, ...choosing }: YearsProps) {
  const [toggledYears, setToggled] = useState<readonly string[]>([]);
  const toggle = (year: string) =>
    setToggled((former) =>
      former.includes(year) ? former.filter((one) => one !== year) : [...former, year],
    );
  const latestFirst = [...entries].sort((left, right) => (left.label < right.label ? 1 : -1));
  const years = Object.entries(Object.groupBy(latestFirst, ({ label }) => label.slice(0, 4)));
  const [all, setAll] = useState(false);
  const shown = years.reverse().slice(0, all ? years.length : usualYears);
  const left = years.length - shown.length;
  const buttons = shown.map(([year, months = []]) => {
    const holdsChoice = months.some(({ pairs }) => choosing.chosen.some((one) => sameChoice(pairs, one)));
    const open = holdsChoice !== toggledYears.includes(year);
    const Chevron = open ? IconChevronDown : IconChevronRight;
    return (
      <div key={year}>
        <button type="button" className={styles.value} aria-expanded={open} onClick={() => toggle(year)}>
          <Chevron size={14} aria-hidden />
          <span className={styles.label}>{year}</span>
        </button>
        {open && (
          <div className={styles.months}>
            {months.map((entry) => (
              <ValueButton key={entry.label} entry={entry} {...choosing} />
            ))}
          </div>
        )}
      </div>
    );
  });
  return (
    <>
      {buttons}
      {left > 0 && (
        <button type="button" className={styles.more} onClick={() => setAll(true)}>
          {text.filters.moreYears(left)}
        </button>
      )}
    </>
  );
}
