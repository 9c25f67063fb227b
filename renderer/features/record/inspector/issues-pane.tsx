import { TextInput } from '@mantine/core';
import { IconCircleCheck, IconFilter, IconPencilBolt } from '@tabler/icons-react';
import { memo, useState, type KeyboardEvent } from 'react';
import type { StoreIssue } from '../../../../core/app/store-issues.ts';
import type { Issue } from '../../../../core/fhir/judgement.ts';
import { OtherRecordLinks } from '../../../platform/other-record-links.tsx';
import { formatCount } from '../../../ui/format.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { text } from '../../../ui/text.ts';
import styles from './inspector.module.css';
import type { JudgedWithStore } from '../markers/use-store-issues.ts';
import { FixMenu, SyntaxRepairButton } from './fix-menu.tsx';
import { useFocusKept } from './use-focus-kept.ts';
import { OpenHead, OpenIssues } from './open-issues.tsx';
import { matching, matchingOpen } from './issue-filter.ts';
import { PaneSkeleton } from './summary-pane.tsx';

/** An issue of the text, or one that the store finds. */
type ShownIssue = Issue & Partial<StoreIssue>;

interface IssuesPaneProps {
  readonly modelPath: string;
  /** Undefined until the text was. */
  readonly judged: JudgedWithStore | undefined;
  readonly onReveal: (pointer: string) => void;
  readonly onGo: (issue: Issue) => void;
  /** Opens the patch composer at an element. */
  readonly onPatch: (pointer: string) => void;
}

const severities = ['error', 'warning'] as const;

/** What is wrong with the text, gravest first; each issue leads to its element. */
export const IssuesPane = memo(function IssuesPane(props: IssuesPaneProps) {
  const { modelPath, judged, onGo, onReveal, onPatch } = props;
  const [filter, setFilter] = useState('');
  const pane = useFocusKept(judged?.issues);
  if (!judged) return <PaneSkeleton />;
  const { issues, total, open, store } = judged;
  if (total === 0 && store === 'pending') return <PaneSkeleton />;
  if (total === 0 && open.length > 0) {
    return (
      <section aria-label={text.issues.name} onKeyDown={moveFocus} {...pane}>
        <OpenHead open={open} alone />
        <OpenIssues open={open} onReveal={onReveal} />
      </section>
    );
  }
  if (total === 0) {
    return (
      <section className={styles.none} tabIndex={-1} {...pane}>
        <IconCircleCheck size={16} aria-hidden />
        <div>
          <strong>{text.issues.none}</strong>
          <p>{store === 'read' ? text.issues.noneDetail : text.issues.noneOfText}</p>
        </div>
      </section>
    );
  }
  const found = matching(issues, filter);
  const undecided = matchingOpen(open, filter);
  return (
    <section aria-label={text.issues.name} onKeyDown={moveFocus} {...pane}>
      <OpenHead open={open} alone={false} />
      <TextInput
        className={styles.filter ?? ''}
        value={filter}
        onChange={(event) => setFilter(event.currentTarget.value)}
        placeholder={text.issues.filter}
        aria-label={text.issues.filter}
        leftSection={<IconFilter size={14} />}
      />
      {found.length + undecided.length === 0 && <p className={styles.hint}>{text.issues.noMatch(filter)}</p>}
      {severities.map((severity) => (
        <Severity
          key={severity}
          severity={severity}
          issues={found.filter((one) => one.severity === severity)}
          {...{ modelPath, onGo, onPatch }}
        />
      ))}
      <OpenIssues open={undecided} onReveal={onReveal} />
      {issues.some(({ rule }) => rule === 'json') && <p className={styles.hint}>{text.issues.syntax}</p>}
      {total > issues.length && <p className={styles.hint}>{text.issues.clipped(issues.length, total)}</p>}
    </section>
  );
});

interface SeverityProps extends Pick<IssuesPaneProps, 'modelPath' | 'onGo' | 'onPatch'> {
  readonly severity: (typeof severities)[number];
  readonly issues: readonly ShownIssue[];
}

function Severity({ severity, issues, ...item }: SeverityProps) {
  if (issues.length === 0) return null;
  return (
    <section className={styles.group}>
      <h2>
        {text.issues.severities[severity]}
        <span className={styles.count}>{formatCount(issues.length)}</span>
      </h2>
      <ul aria-label={text.issues.severities[severity]}>
        {issues.map((issue) => (
          <IssueItem
            key={issue.key ?? `${issue.rule} ${issue.expression} ${issue.text}`}
            issue={issue}
            {...item}
          />
        ))}
      </ul>
    </section>
  );
}

interface IssueItemProps extends Pick<IssuesPaneProps, 'modelPath' | 'onGo' | 'onPatch'> {
  readonly issue: ShownIssue;
}

function IssueItem({ modelPath, issue, onGo, onPatch }: IssueItemProps) {
  const { pointer, expression, others, moreOthers, storedVersion } = issue;
  return (
    <li>
      <button
        type="button"
        className={styles.issue}
        data-severity={issue.severity}
        onClick={() => onGo(issue)}
      >
        <span>{issue.text}</span>
        <span className={styles.place}>{issue.expression}</span>
        <span className={styles.rule}>{`${issue.category} · ${issue.profile ?? issue.rule}`}</span>
      </button>
      {(others !== undefined || storedVersion !== undefined) && (
        <p className={styles.others} data-severity={issue.severity}>
          {storedVersion !== undefined && <span>{text.issues.storedVersion(storedVersion)} </span>}
          <OtherRecordLinks others={others} moreOthers={moreOthers} />
        </p>
      )}
      {issue.rule === 'json' ? (
        <SyntaxRepairButton modelPath={modelPath} issue={issue} />
      ) : (
        <FixMenu modelPath={modelPath} issue={issue} />
      )}
      {pointer !== undefined && (
        <IconButton
          label={text.patch.element(expression)}
          className={styles.patch}
          onClick={() => onPatch(pointer)}
        >
          <IconPencilBolt size={16} />
        </IconButton>
      )}
    </li>
  );
}

/** Arrow keys walk through the issues, as through any list. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('input, li > button:first-child')];
  const next = stops[stops.findIndex((one) => one === document.activeElement) + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
}
