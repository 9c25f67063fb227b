import { Button } from '@mantine/core';
import { IconDownload, IconReplace } from '@tabler/icons-react';
import {
  groupOf,
  type Grouping,
  type QualityFilter,
  type QualityFinding,
  type QualityGroup,
  type QualityOverview,
} from '../../../core/app/quality.ts';
import { pathPatterns } from '../../../core/json/path-pattern.ts';
import { useWorkbenchActions } from '../../platform/workbench-actions.ts';
import { countOf } from '../../ui/format.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { text } from '../../ui/text.ts';
import { GroupKey } from './group-list.tsx';
import { filterOf, type QualityState } from './quality-state.ts';
import styles from './quality.module.css';
import { findingsOf, formatShare, sumOf, wholeOf } from './shares.ts';
import type { useExport } from './use-quality.ts';

/** What is listed: the findings of a filter, of one rule or of all. */
interface Listed {
  readonly filter: QualityFilter;
  /** The rule, where findings of it are there. */
  readonly group: QualityGroup | undefined;
  readonly label: string;
  readonly total: number;
}

/** What the worklist lists in a state of it. */
export function listedOf(state: QualityState, { groups }: QualityOverview): Listed {
  const filter = filterOf(state);
  const group = groups.find(({ rule }) => rule === filter.rule);
  return {
    filter,
    group,
    label: group?.text ?? state.ruleText ?? text.quality.all,
    total: findingsOf(filter.rule === undefined ? groups : group ? [group] : []),
  };
}

interface ListedRuleProps {
  readonly listed: Listed;
  readonly overview: QualityOverview;
  readonly onUngroup: (by: Grouping) => void;
}

/** The rule with its counts, the group that they are narrowed to, and when they were counted. */
export function ListedRule({ listed, overview, onUngroup }: ListedRuleProps) {
  const { filter, group, label, total } = listed;
  const undecided = sumOf(overview.undecided ?? {});
  const named = filter.group === undefined ? undefined : groupOf(filter.group);
  return (
    <div>
      <h2 title={label}>{label}</h2>
      <p>
        {group && (
          <>
            <span className={styles.severity} data-severity={group.severity}>
              {text.quality.severities[group.severity]}
            </span>
            <code>{group.rule}</code>
            <span>{countOf(group.records, 'record')}</span>
            <span>{text.quality.share(formatShare(group.records, wholeOf(overview, filter)))}</span>
          </>
        )}
        <span>{countOf(total, 'finding')}</span>
        {named && (
          <LinkButton title={text.quality.groups.all} onClick={() => onUngroup(named.by)}>
            {text.quality.groups.by[named.by]}: <GroupKey by={named.by} value={named.key} /> ×
          </LinkButton>
        )}
        {undecided > 0 && <span>{text.quality.undecided(undecided)}</span>}
        <span>
          {text.quality.counted} <RelativeTime instant={overview.computed} />
        </span>
      </p>
    </div>
  );
}

interface ListActionsProps {
  readonly listed: Listed;
  /** Those that are loaded. */
  readonly findings: readonly QualityFinding[];
  readonly exporting: ReturnType<typeof useExport>;
}

/** What is done with all that is listed, loaded or not. */
export function ListActions({ listed, findings, exporting }: ListActionsProps) {
  const { replaceInAll } = useWorkbenchActions();
  const { filter, label, total } = listed;
  const [path] = pathPatterns(findings.map(({ pointer }) => pointer).filter((pointer) => pointer !== ''));
  return (
    <>
      <Button
        leftSection={<IconDownload size={16} aria-hidden />}
        loading={exporting.isPending}
        disabled={total === 0}
        onClick={() => exporting.mutate()}
      >
        {text.quality.exportCsv}
      </Button>
      <Button
        leftSection={<IconReplace size={16} aria-hidden />}
        disabled={total === 0}
        onClick={() => replaceInAll({ kind: 'quality', filter, label, ...(path !== undefined && { path }) })}
      >
        {text.quality.replaceAll}
      </Button>
    </>
  );
}
