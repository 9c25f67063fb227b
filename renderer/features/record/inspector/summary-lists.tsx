import { memo, type ReactNode } from 'react';
import type { CardActivity } from '../../../../core/fhir/card/activity.ts';
import type { CardSection } from '../../../../core/fhir/card/card.ts';
import { ReferredName } from '../../../platform/referred-name.tsx';
import { formatCount } from '../../../ui/format.ts';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { text } from '../../../ui/text.ts';
import { writtenDays } from '../../../ui/time.ts';
import styles from './inspector.module.css';

type Reveal = (pointer: string) => void;

interface PartProps {
  readonly title: string;
  readonly count?: number;
  readonly children: ReactNode;
}

/** A part of the summary under a heading of its own, with how many there are; nothing where there is none. */
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

interface ListProps<One> {
  readonly list: readonly One[];
  readonly onReveal: Reveal;
}

/** The plan's activities, each with its status and when it is due. */
export function Activities({ list, onReveal }: ListProps<CardActivity>) {
  return (
    <ul className={styles.list2}>
      {list.map(({ title, before, status, due, over, reference, pointer }, index) => (
        <li key={pointer}>
          <Go pointer={pointer} onReveal={onReveal}>
            <ReferredName
              title={title}
              before={before}
              reference={reference?.reference ?? ''}
              fallback={(reference?.reference ?? '') || text.summary.activity(index + 1)}
            />
          </Go>
          <div className={styles.aside}>
            {status !== '' && <StatusDot status={status} negated={before !== undefined} />}
            {due !== '' && <span title={due}>{text.summary.due(writtenDays(due))}</span>}
            {over !== undefined && <span className={styles.over}>{text.summary.overdue(over)}</span>}
          </div>
        </li>
      ))}
    </ul>
  );
}

/** As many sections of one level as are looked through here. */
const mostSections = 200;

/** The document's sections, nested ones indented; of very many the first. */
export function Sections({ list, onReveal }: ListProps<CardSection>) {
  return (
    <ul className={styles.list2}>
      {list.slice(0, mostSections).map((section, index) => (
        <SectionItem key={section.pointer} {...{ section, index, onReveal }} />
      ))}
      {list.length > mostSections && (
        <li className={styles.missing}>{text.summary.moreSections(list.length - mostSections)}</li>
      )}
    </ul>
  );
}

interface SectionItemProps {
  readonly section: CardSection;
  readonly index: number;
  readonly onReveal: Reveal;
}

/** Only the section that changed is drawn anew: a document may have hundreds. */
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

/** A name that leads to its element in the text. */
export function Go({ pointer, onReveal, children }: GoProps) {
  return (
    <button type="button" className={styles.go} title={text.summary.reveal} onClick={() => onReveal(pointer)}>
      {children}
    </button>
  );
}
