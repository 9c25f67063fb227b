import { pointerAt } from '../../../../core/fhir/expression.ts';
import type { FailureIssue } from '../../../ui/failure.ts';
import { text } from '../../../ui/text.ts';
import styles from './review.module.css';

/** More than a person reads here; the inspector lists them all. */
const shown = 50;

interface IssueListProps {
  readonly issues: readonly FailureIssue[];
  readonly severity: 'error' | 'warning';
  readonly onGo: (pointer: string) => void;
}

/** Issues with their elements; each that names one leads to it in the editor. */
export function IssueList({ issues, severity, onGo }: IssueListProps) {
  return (
    <ul className={styles.issues} data-severity={severity}>
      {issues.slice(0, shown).map(({ text: sentence, expression }, index) => {
        const pointer = expression === undefined ? undefined : pointerAt(expression);
        return (
          <li key={index}>
            <span>{sentence}</span>
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
      {issues.length > shown && <li>{text.verdict.more(issues.length - shown)}</li>}
    </ul>
  );
}
