import { memo, type ReactNode } from 'react';
import type { CardActivity } from '../../../../core/fhir/card/activity.ts';
import type { CardSection } from '../../../../core/fhir/card/card.ts';
import { ReferredName } from '../../../platform/referred-name.tsx';
import { formatCount } from '../../../ui/format.ts';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { text } from '../../../ui/text.ts';
import { formatDays } from '../../../ui/time.ts';
import styles from './inspector.module.css';

type Reveal = (pointer: string) => void;

interface PartProps {
  readonly title: string;
  readonly count?: number;
  readonly children: ReactNode;
}

/** Section of the summary with a heading and a count. Renders nothing if the count is 0. */
export function Part({ title, count, children }: PartProps) {
  if (count === 0) return null;
  return (
    <section className={styles.part}>
      <h2>
        {title}
        {count !== undefined && <span className={styles.count}>{formatCount(count)}</span>}
      </h2>
      {children}
    </section>
  );
}

interface ListProps<Item> {
  readonly list: readonly Item[];
  readonly onReveal: Reveal;
}

/** Activities of the plan, each with its status and due date. */
export function Activities({ list, onReveal }: ListProps<CardActivity>) {
  return (
    <ul className={styles.list2}>
      {list.map(({ title, negation, status, due, overdueDays, reference, pointer }, index) => (
        <li key={pointer}>
          <Go pointer={pointer} onReveal={onReveal}>
            <ReferredName
              title={title}
              negation={negation}
              reference={reference?.reference ?? ''}
              fallback={(reference?.reference ?? '') || text.summary.activity(index + 1)}
            />
          </Go>
          <div className={styles.aside}>
            {status !== '' && <StatusDot status={status} negated={negation !== undefined} />}
            {due !== '' && <span title={due}>{text.summary.due(formatDays(due))}</span>}
            {overdueDays !== undefined && (
              <span className={styles.over}>{text.summary.overdue(overdueDays)}</span>
            )}
          </div>
        </li>
      ))}
    </ul>
  );
}

/** Highest number of sections shown per level. */
const maxSections = 200;

/** Sections of the document, indented by level, up to a limit. */
export function Sections({ list, onReveal }: ListProps<CardSection>) {
  return (
    <ul className={styles.list2}>
      {list.slice(0, maxSections).map((section, index) => (
        <SectionItem key={section.pointer} section={section} index={index} onReveal={onReveal} />
      ))}
      {list.length > maxSections && (
        <li className={styles.missing}>{text.summary.moreSections(list.length - maxSections)}</li>
      )}
    </ul>
  );
}

interface SectionItemProps {
  readonly section: CardSection;
  readonly index: number;
  readonly onReveal: Reveal;
}

/** Memoized, because a document may have hundreds of sections. */
const SectionItem = memo(function SectionItem({ section, index, onReveal }: SectionItemProps) {
  const { title, entries, hasText, emptyReason, sections, pointer } = section;
  return (
    <li>
      <Go pointer={pointer} onReveal={onReveal}>
        {title || text.summary.section(index + 1)}
      </Go>
      <div className={styles.aside}>
        {entries > 0 && <span>{text.summary.entries(entries)}</span>}
        {!hasText && sections.length === 0 && <span>{text.summary.noText}</span>}
        {emptyReason !== '' && <span>{text.summary.empty(emptyReason)}</span>}
      </div>
      {sections.length > 0 && <Sections list={sections} onReveal={onReveal} />}
    </li>
  );
});

interface GoProps {
  readonly pointer: string;
  readonly onReveal: Reveal;
  readonly children: ReactNode;
}

/** Button that reveals an element in the text. */
export function Go({ pointer, onReveal, children }: GoProps) {
  return (
    <button type="button" className={styles.go} title={text.summary.reveal} onClick={() => onReveal(pointer)}>
      {children}
    </button>
  );
}
