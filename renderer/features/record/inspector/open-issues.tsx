import { IconHelpCircle } from '@tabler/icons-react';
import type { OpenIssue } from '../../../../core/app/profile-issues.ts';
import { formatCount } from '../../../ui/format.ts';
import { text } from '../../../ui/text.ts';
import styles from './inspector.module.css';

interface OpenIssuesProps {
  readonly open: readonly OpenIssue[];
  readonly onReveal: (pointer: string) => void;
}

/** The third verdict: what profiles ask, and what is neither passed nor broken as something is not at hand. */
export function OpenIssues({ open, onReveal }: OpenIssuesProps) {
  if (open.length === 0) return null;
  return (
    <section className={styles.group}>
      <h2>
        {text.profiles.openHeading}
        <span className={styles.count}>{formatCount(open.length)}</span>
      </h2>
      <ul aria-label={text.profiles.openHeading}>
        {open.map(({ text: sentence, expression, profile, pointer }) => (
          <li key={`${profile} ${expression} ${sentence}`}>
            <button
              type="button"
              className={styles.issue}
              data-severity="open"
              onClick={() => onReveal(pointer)}
            >
              <span>{sentence}</span>
              <span className={styles.place}>{expression}</span>
              <span className={styles.rule}>{profile}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Stands above the issues: how much cannot be decided, and what would be needed for it. */
export function OpenHead({ open, alone }: Pick<OpenIssuesProps, 'open'> & { readonly alone: boolean }) {
  if (open.length === 0) return null;
  const needs = [...new Set(open.map((one) => one.needs))];
  return (
    <div className={styles.open} role="status">
      <IconHelpCircle size={16} aria-hidden />
      <div>
        {alone && <strong>{text.profiles.noneFound}</strong>}
        <p>{text.profiles.undecided(open.length, needs)}</p>
      </div>
    </div>
  );
}
