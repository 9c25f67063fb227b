import { IconHelpCircle } from '@tabler/icons-react';
import type { OpenIssue } from '../../../../core/app/profile-issues.ts';
import { formatCount } from '../../../ui/format.ts';
import { text } from '../../../ui/text.ts';
import styles from './inspector.module.css';

interface OpenIssuesProps {
  readonly open: readonly OpenIssue[];
  readonly onReveal: (pointer: string) => void;
}

/** Profile rules that were not evaluated, because a definition is missing. */
export function OpenIssues({ open, onReveal }: OpenIssuesProps) {
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
export function OpenHead({
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
