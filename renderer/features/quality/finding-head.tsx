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
import { LinkButton } from '../../ui/link-button.tsx';
import { MessageNodes } from '../../ui/message-nodes.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { text } from '../../ui/text.ts';
import { GroupKey } from './group-list.tsx';
import { filterOf, type QualityState } from './quality-state.ts';
import styles from './quality.module.css';
import { sumFindings, formatShare, sumCounts, countRecords } from './percentages.ts';
import type { useExport } from './use-quality.ts';

/** Findings of a filter, of one rule or of all rules. */
interface FindingSelection {
  readonly filter: QualityFilter;
  /** Rule of the filter, if it has findings. */
  readonly group: QualityGroup | undefined;
  readonly label: string;
  readonly total: number;
}

/** Returns the findings that a state of the worklist selects. */
export function selectFindings(state: QualityState, { groups }: QualityOverview): FindingSelection {
  const filter = filterOf(state);
  const group = groups.find(({ rule }) => rule === filter.rule);
  return {
    filter,
    group,
    label: group?.text ?? state.ruleText ?? text.quality.all,
    total: sumFindings(filter.rule === undefined ? groups : group ? [group] : []),
  };
}

interface ListedRuleProps {
  readonly selection: FindingSelection;
  readonly overview: QualityOverview;
  readonly onUngroup: (groupBy: Grouping) => void;
}

/** Header of the list: the rule with its counts, the selected group and the time of the count. */
export function ListedRule({ selection, overview, onUngroup }: ListedRuleProps) {
  const { filter, group, label, total } = selection;
  const undecidedCount = sumCounts(overview.undecided ?? {});
  const groupName = filter.group === undefined ? undefined : groupOf(filter.group);
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
            <span>{text.quality.records(group.records)}</span>
            <span>{text.quality.share(formatShare(group.records, countRecords(overview, filter)))}</span>
          </>
        )}
        <span>{text.quality.issues(total)}</span>
        {groupName && (
          <LinkButton title={text.quality.groups.all} onClick={() => onUngroup(groupName.grouping)}>
            {text.quality.groups.by[groupName.grouping]}:{' '}
            <GroupKey groupBy={groupName.grouping} value={groupName.key} /> ×
          </LinkButton>
        )}
        {undecidedCount > 0 && <span>{text.quality.undecided(undecidedCount)}</span>}
        <span>
          <MessageNodes
            message={text.quality.counted}
            nodes={{ time: <RelativeTime instant={overview.computed} /> }}
          />
        </span>
      </p>
    </div>
  );
}

interface ListActionsProps {
  readonly selection: FindingSelection;
  /** Loaded findings. */
  readonly findings: readonly QualityFinding[];
  readonly exporting: ReturnType<typeof useExport>;
}

/** Actions for all selected findings, loaded or not. */
export function ListActions({ selection, findings, exporting }: ListActionsProps) {
  const { replaceInAll } = useWorkbenchActions();
  const { filter, label, total } = selection;
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
