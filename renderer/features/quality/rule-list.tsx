import { useRef, type KeyboardEvent, type ReactNode } from 'react';
import {
  categories,
  type QualityFilter,
  type QualityGroup,
  type QualityOverview,
} from '../../../core/app/quality.ts';
import { formatCount } from '../../ui/format.ts';
import { rowAfterKey } from '../../ui/grid/grid-keys.ts';
import { getThresholdStatus } from '../../../core/app/thresholds.ts';
import { lineOf, visibleDays, useMeasures, type DayShare } from '../../platform/measures.ts';
import { useThresholds, type StoredThresholds } from '../../platform/thresholds.ts';
import { ToneDot } from '../../ui/tone-dot.tsx';
import { Sparkline } from '../../ui/sparkline.tsx';
import { text } from '../../ui/text.ts';
import styles from './quality.module.css';
import { sumFindings, formatShare, toneOf, countRecords } from './percentages.ts';

interface RuleListProps {
  readonly overview: QualityOverview;
  readonly filter: QualityFilter;
  readonly rule: string | undefined;
  readonly onSelect: (group: QualityGroup | undefined) => void;
}

/** Violated rules by Kahn category, with counts, shares and bars. Arrow keys move and select. */
export function RuleList({ overview, filter, rule, onSelect }: RuleListProps) {
  const list = useRef<HTMLDivElement>(null);
  const { groups } = overview;
  const sections = categories
    .map((category) => ({ category, sectionGroups: groups.filter((group) => group.category === category) }))
    .filter(({ sectionGroups }) => sectionGroups.length > 0);
  const options = [undefined, ...sections.flatMap(({ sectionGroups }) => sectionGroups)];
  const currentIndex = Math.max(
    0,
    options.findIndex((group) => group?.rule === rule),
  );

  function onKeyDown(event: KeyboardEvent) {
    const target = rowAfterKey(event.key, currentIndex, options.length, 8);
    if (target === undefined) return;
    event.preventDefault();
    onSelect(options[target]);
    list.current?.querySelectorAll<HTMLElement>('[role=option]')[target]?.focus();
  }

  const { data: measures } = useMeasures(visibleDays);
  const shared = {
    lineOfRule: (id: string) => (measures ? lineOf(measures, id) : []),
    thresholds: useThresholds(),
    recordCount: countRecords(overview, filter),
    onSelect,
  };
  return (
    <div
      ref={list}
      className={styles.rules}
      role="listbox"
      aria-label={text.quality.rules}
      onKeyDown={onKeyDown}
    >
      <div
        role="option"
        className={styles.rule}
        aria-selected={rule === undefined}
        tabIndex={currentIndex === 0 ? 0 : -1}
        onClick={() => onSelect(undefined)}
      >
        <span className={styles.ruleText}>{text.quality.all}</span>
        <span className={styles.ruleCount}>{text.quality.issues(sumFindings(groups))}</span>
      </div>
      {sections.map(({ category, sectionGroups }) => (
        <Category
          key={category}
          name={text.quality.categories[category]}
          findings={sumFindings(sectionGroups)}
        >
          {sectionGroups.map((group) => (
            <RuleOption key={group.rule} group={group} selected={group.rule === rule} {...shared} />
          ))}
        </Category>
      ))}
    </div>
  );
}

interface CategoryProps {
  readonly name: string;
  readonly findings: number;
  readonly children: ReactNode;
}

function Category({ name, findings, children }: CategoryProps) {
  return (
    <div className={styles.group} role="group" aria-label={name}>
      <div className={styles.category} aria-hidden>
        <span>{name}</span>
        <span>{formatCount(findings)}</span>
      </div>
      {children}
    </div>
  );
}

interface RuleOptionProps {
  readonly group: QualityGroup;
  readonly selected: boolean;
  readonly recordCount: number;
  readonly lineOfRule: (rule: string) => readonly DayShare[];
  readonly thresholds: StoredThresholds;
  readonly onSelect: (group: QualityGroup) => void;
}

function RuleOption({ group, selected, recordCount, lineOfRule, thresholds, onSelect }: RuleOptionProps) {
  const { rule, severity, records } = group;
  const line = lineOfRule(rule);
  const [firstDay, lastDay] = [line[0], line.at(-1)];
  const status = lastDay && getThresholdStatus(thresholds.get(rule), lastDay.violatedCount, lastDay.applied);
  return (
    <div
      role="option"
      className={styles.rule}
      title={`${text.quality.severities[severity]} · ${rule}`}
      aria-selected={selected}
      tabIndex={selected ? 0 : -1}
      onClick={() => onSelect(group)}
    >
      <span className={styles.ruleText}>
        {group.text}{' '}
        {firstDay && lastDay && firstDay !== lastDay && (
          <Sparkline
            label={text.quality.trend.rule(firstDay.violatedCount, lastDay.violatedCount)}
            days={line.map(({ day, violatedCount: value }) => ({ day, value }))}
            height={14}
            {...(status && { tone: toneOf[status] })}
          />
        )}
        {status && status !== 'within' && (
          <ToneDot tone={toneOf[status]} label={text.quality.measures.standings[status]} />
        )}
      </span>
      <span className={styles.bar} data-severity={severity} aria-hidden>
        <i style={{ width: `${recordCount === 0 ? 0 : (records / recordCount) * 100}%` }} />
      </span>
      <span className={styles.ruleCount}>
        <span className={styles.severity} data-severity={severity}>
          {text.quality.severities[severity]}
        </span>
        {text.quality.records(records)}
        <small>{formatShare(records, recordCount)}</small>
      </span>
    </div>
  );
}
