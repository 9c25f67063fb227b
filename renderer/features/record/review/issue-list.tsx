import { pointerAt } from '../../../../core/fhir/validation/finding.ts';
import type { FailureIssue } from '../../../ui/failure.ts';
import { text } from '../../../ui/text.ts';
import styles from './review.module.css';

/** Enough for this pane; the inspector lists all issues. */
const maxVisible = 50;

interface IssueListProps {
  readonly issues: readonly FailureIssue[];
  readonly severity: 'error' | 'warning';
  readonly onGo: (pointer: string) => void;
}

/** Issues with their elements. An issue with an element reveals it in the editor. */
export function IssueList({ issues, severity, onGo }: IssueListProps) {
  return (
    <ul className={styles.issues} data-severity={severity}>
      {issues.slice(0, maxVisible).map(({ text: message, expression }, index) => {
        const pointer = expression === undefined ? undefined : pointerAt(expression);
        return (
          <li key={index}>
            <span>{message}</span>
            {expression !== undefined &&
              (pointer === undefined ? (
                <code>{expression}</code>
              ) : (
                <button type="button" aria-label={text.review.goTo(expression)} onClick={() => onGo(pointer)}>
                  {expression}
                </button>
              ))}
          </li>
        );
      })}
      {issues.length > maxVisible && <li>{text.verdict.more(issues.length - maxVisible)}</li>}
    </ul>
  );
}
