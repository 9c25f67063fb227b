import { TextInput } from '@mantine/core';
import { IconCircleCheck, IconFilter, IconPencilBolt, IconHelpCircle } from '@tabler/icons-react';
import { memo, useState, useLayoutEffect, useRef, type KeyboardEvent, type FocusEvent } from 'react';
import type { StoreIssue } from '../../../../core/app/store-issues.ts';
import type { Issue } from '../../../../core/fhir/text-validation.ts';
import { OtherRecordLinks } from '../../../platform/other-record-links.tsx';
import { formatCount } from '../../../ui/format.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { text } from '../../../ui/text.ts';
import styles from './inspector.module.css';
import type { ValidationWithStore } from '../markers/use-store-issues.ts';
import { FixMenu, SyntaxRepairButton } from './fix-menu.tsx';
import { matching, matchingOpen } from './issue-filter.ts';
import { PaneSkeleton } from './summary-pane.tsx';
import { isFocusLost } from '../../../ui/focus.ts';
import type { OpenIssue } from '../../../../core/app/profile-issues.ts';

/** An issue of the text or of the store. */
type ShownIssue = Issue & Partial<StoreIssue>;

interface IssuesPaneProps {
  readonly modelPath: string;
  /** Undefined until the text was validated. */
  readonly validation: ValidationWithStore | undefined;
  readonly onReveal: (pointer: string) => void;
  readonly onGo: (issue: Issue) => void;
  /** Opens the patch composer at an element. */
  readonly onPatch: (pointer: string) => void;
}

const severities = ['error', 'warning'] as const;

/** Issues of the text, errors first. Each issue reveals its element. */
export const IssuesPane = memo(function IssuesPane(props: IssuesPaneProps) {
  const { modelPath, validation, onGo, onReveal, onPatch } = props;
  const [filter, setFilter] = useState('');
  const pane = useFocusKept(validation?.issues);
  if (!validation) return <PaneSkeleton />;
  const { issues, total, open: openIssues, store } = validation;
  if (total === 0 && store === 'pending') return <PaneSkeleton />;
  if (total === 0 && openIssues.length > 0) {
    return (
      <section aria-label={text.issues.name} onKeyDown={handleArrowKeys} {...pane}>
        <OpenHead open={openIssues} isOnlyContent />
        <OpenIssues open={openIssues} onReveal={onReveal} />
      </section>
    );
  }
  if (total === 0) {
    return (
      <section className={styles.none} tabIndex={-1} {...pane}>
        <IconCircleCheck size={16} aria-hidden />
        <div>
          <strong>{text.issues.none}</strong>
          <p>{text.issues.noneDetail[store]}</p>
        </div>
      </section>
    );
  }
  const matchingIssues = matching(issues, filter);
  const undecidedIssues = matchingOpen(openIssues, filter);
  return (
    <section aria-label={text.issues.name} onKeyDown={handleArrowKeys} {...pane}>
      <OpenHead open={openIssues} isOnlyContent={false} />
      <TextInput
        className={styles.filter ?? ''}
        value={filter}
        onChange={(event) => setFilter(event.currentTarget.value)}
        placeholder={text.issues.filter}
        aria-label={text.issues.filter}
        leftSection={<IconFilter size={14} />}
      />
      {matchingIssues.length + undecidedIssues.length === 0 && (
        <p className={styles.hint}>{text.issues.noMatch(filter)}</p>
      )}
      {severities.map((severity) => (
        <Severity
          key={severity}
          severity={severity}
          issues={matchingIssues.filter((issue) => issue.severity === severity)}
          modelPath={modelPath}
          onGo={onGo}
          onPatch={onPatch}
        />
      ))}
      <OpenIssues open={undecidedIssues} onReveal={onReveal} />
      {issues.some(({ rule }) => rule === 'json') && <p className={styles.hint}>{text.issues.syntax}</p>}
      {total > issues.length && <p className={styles.hint}>{text.issues.clipped(issues.length, total)}</p>}
    </section>
  );
});

interface SeverityProps extends Pick<IssuesPaneProps, 'modelPath' | 'onGo' | 'onPatch'> {
  readonly severity: (typeof severities)[number];
  readonly issues: readonly ShownIssue[];
}

function Severity({ severity, issues, ...itemProps }: SeverityProps) {
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
            {...itemProps}
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
  const { pointer, expression, others: otherRecords, moreOthers: moreRecords, storedVersion } = issue;
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
      {(otherRecords !== undefined || storedVersion !== undefined) && (
        <p className={styles.others} data-severity={issue.severity}>
          {storedVersion !== undefined && <span>{text.issues.storedVersion(storedVersion)} </span>}
          <OtherRecordLinks records={otherRecords} hasMore={moreRecords} />
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

/** Moves the focus through the issues with the arrow keys. */
function handleArrowKeys(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('input, li > button:first-child')];
  const next = stops[stops.findIndex((stop) => stop === document.activeElement) + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
}

/** Position of an item in a list, and of one of its buttons. */
interface FocusedButton {
  readonly item: number;
  readonly button: number;
}

/**
 * Keeps the focus in a list when its focused item is removed, for example a fixed issue. The focus moves to
 * the next item, or to the last, or to the pane. Returns the props of the pane.
 */
function useFocusKept(items: unknown) {
  const pane = useRef<HTMLElement>(null);
  const focused = useRef<FocusedButton>(undefined);
  useLayoutEffect(() => {
    const { current: lastFocused } = focused;
    if (!lastFocused || !pane.current || !isFocusLost()) return;
    const items = itemsIn(pane.current);
    const buttons = buttonsIn(items[Math.min(lastFocused.item, items.length - 1)]);
    (buttons[lastFocused.button] ?? buttons[0] ?? pane.current).focus();
  }, [items]);
  return {
    ref: pane,
    onFocus: ({ target, currentTarget }: FocusEvent<HTMLElement>) => {
      const item = itemsIn(currentTarget).findIndex((item) => item.contains(target));
      const button = buttonsIn(itemsIn(currentTarget)[item]).findIndex((button) => button === target);
      focused.current = item === -1 ? undefined : { item, button };
    },
    onBlur: ({ relatedTarget }: FocusEvent<HTMLElement>) => {
      // A removed element loses the focus to nothing.
      if (relatedTarget !== null) focused.current = undefined;
    },
  };
}

function itemsIn(pane: HTMLElement): HTMLElement[] {
  return [...pane.querySelectorAll<HTMLElement>('li')];
}

function buttonsIn(item: HTMLElement | undefined): HTMLElement[] {
  return [...(item?.querySelectorAll<HTMLElement>('button') ?? [])];
}

interface OpenIssuesProps {
  readonly open: readonly OpenIssue[];
  readonly onReveal: (pointer: string) => void;
}

/** Profile rules that were not evaluated, because a definition is missing. */
function OpenIssues({ open, onReveal }: OpenIssuesProps) {
  if (open.length === 0) return null;
  return (
    <section className={styles.group}>
      <h2>
        {text.profiles.openHeading}
        <span className={styles.count}>{formatCount(open.length)}</span>
      </h2>
      <ul aria-label={text.profiles.openHeading}>
        {open.map(({ text: message, expression, profile, pointer }) => (
          <li key={`${profile} ${expression} ${message}`}>
            <button
              type="button"
              className={styles.issue}
              data-severity="open"
              onClick={() => onReveal(pointer)}
            >
              <span>{message}</span>
              <span className={styles.place}>{expression}</span>
              <span className={styles.rule}>{profile}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Summary above the issues: the number of undecided rules and the missing definitions. */
function OpenHead({
  open,
  isOnlyContent,
}: Pick<OpenIssuesProps, 'open'> & { readonly isOnlyContent: boolean }) {
  if (open.length === 0) return null;
  const needs = [...new Set(open.map((issue) => issue.needs))];
  return (
    <div className={styles.open} role="status">
      <IconHelpCircle size={16} aria-hidden />
      <div>
        {isOnlyContent && <strong>{text.profiles.noneFound}</strong>}
        <p>{text.profiles.undecided(open.length, needs)}</p>
        {needs.length > 1 && (
          <details>
            <summary>{text.profiles.needs}</summary>
            <ul className={styles.needs}>
              {needs.map((need) => (
                <li key={need}>{need}</li>
              ))}
            </ul>
          </details>
        )}
      </div>
    </div>
  );
}
