import { useRef, type KeyboardEvent, type ReactNode } from 'react';
import {
  categories,
  type QualityFilter,
  type QualityGroup,
  type QualityOverview,
} from '../../../core/app/quality.ts';
import { countOf, formatCount } from '../../ui/format.ts';
import { rowAfterKey } from '../../ui/grid/grid-keys.ts';
import { standingOf } from '../../../core/app/thresholds.ts';
import { lineOf, shownDays, useMeasures, type DayShare } from '../../platform/measures.ts';
import { useThresholds, type HeldThresholds } from '../../platform/thresholds.ts';
import { ToneDot } from '../../ui/tone-dot.tsx';
import { Sparkline } from '../../ui/sparkline.tsx';
import { text } from '../../ui/text.ts';
import styles from './quality.module.css';
import { findingsOf, formatShare, toneOf, wholeOf } from './shares.ts';

interface RuleListProps {
  readonly overview: QualityOverview;
  readonly filter: QualityFilter;
  readonly rule: string | undefined;
  readonly onChoose: (group: QualityGroup | undefined) => void;
}

/** The broken rules by Kahn category, each with its count, its share and a bar; arrows move and choose. */
export function RuleList({ overview, filter, rule, onChoose }: RuleListProps) {
  const list = useRef<HTMLDivElement>(null);
  const { groups } = overview;
  const sorted = categories
    .map((category) => ({ category, own: groups.filter((group) => group.category === category) }))
    .filter(({ own }) => own.length > 0);
  const options = [undefined, ...sorted.flatMap(({ own }) => own)];
  const at = Math.max(
    0,
    options.findIndex((group) => group?.rule === rule),
  );

  function onKeyDown(event: KeyboardEvent) {
    const target = rowAfterKey(event.key, at, options.length, 8);
    if (target === undefined) return;
    event.preventDefault();
    onChoose(options[target]);
    list.current?.querySelectorAll<HTMLElement>('[role=option]')[target]?.focus();
  }

  const { data } = useMeasures(shownDays);
  const shared = {
    lineOfRule: (id: string) => (data ? lineOf(data, id) : []),
    thresholds: useThresholds(),
    whole: wholeOf(overview, filter),
    onChoose,
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
        tabIndex={at === 0 ? 0 : -1}
        onClick={() => onChoose(undefined)}
      >
        <span className={styles.ruleText}>{text.quality.all}</span>
        <span className={styles.ruleCount}>{countOf(findingsOf(groups), 'finding')}</span>
      </div>
      {sorted.map(({ category, own }) => (
        <Category key={category} name={text.quality.categories[category]} findings={findingsOf(own)}>
          {own.map((group) => (
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
  readonly whole: number;
  readonly lineOfRule: (rule: string) => readonly DayShare[];
  readonly thresholds: HeldThresholds;
  readonly onChoose: (group: QualityGroup) => void;
}

function RuleOption({ group, selected, whole, lineOfRule, thresholds, onChoose }: RuleOptionProps) {
  const { rule, severity, records } = group;
  const line = lineOfRule(rule);
  const [first, last] = [line[0], line.at(-1)];
  const standing = last && standingOf(thresholds.of(rule), last.violated, last.applied);
  return (
    <div
      role="option"
      className={styles.rule}
      title={`${text.quality.severities[severity]} · ${rule}`}
      aria-selected={selected}
      tabIndex={selected ? 0 : -1}
      onClick={() => onChoose(group)}
    >
      <span className={styles.ruleText}>
        {group.text}{' '}
        {first && last && first !== last && (
          <Sparkline
            label={text.quality.trend.rule(first.violated, last.violated)}
            days={line.map(({ day, violated: value }) => ({ day, value }))}
            height={14}
            {...(standing && { tone: toneOf[standing] })}
          />
        )}
        {standing && standing !== 'within' && (
          <ToneDot tone={toneOf[standing]} label={text.quality.measures.standings[standing]} />
        )}
      </span>
      <span className={styles.bar} data-severity={severity} aria-hidden>
        <i style={{ width: `${whole === 0 ? 0 : (records / whole) * 100}%` }} />
      </span>
      <span className={styles.ruleCount}>
        <span className={styles.severity} data-severity={severity}>
          {text.quality.severities[severity]}
        </span>
        {countOf(records, 'record')}
        <small>{formatShare(records, whole)}</small>
      </span>
    </div>
  );
}
