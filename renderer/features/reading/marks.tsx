import { Tooltip } from '@mantine/core';
import { text } from '../../ui/text.ts';
import { useReadingContext } from './reading-context.ts';
import styles from './reading.module.css';

/** Marker in the margin of a block: number and severity of its issues, with a link to the first in the JSON. */
export function FindingMarks({ pointer }: { readonly pointer: string }) {
  const { issuesByBlock, onGo } = useReadingContext();
  const issues = issuesByBlock.get(pointer);
  const [firstIssue] = issues ?? [];
  if (!issues || !firstIssue) return null;
  const mostSevere = issues.find(({ severity }) => severity === 'error') ?? firstIssue;
  const messages = issues.map((issue) => issue.text);
  return (
    <Tooltip
      multiline
      maw={360}
      label={messages.slice(0, maxMessages).map((sentence) => (
        <div key={sentence}>{sentence}</div>
      ))}
    >
      <button
        type="button"
        className={styles.mark}
        data-acts
        data-severity={mostSevere.severity}
        aria-label={text.reading.found(issues.length, messages.slice(0, maxMessages).join(' '))}
        onClick={() => onGo(mostSevere)}
      >
        {issues.length}
      </button>
    </Tooltip>
  );
}

/** Maximum number of messages in a tooltip. */
const maxMessages = 6;
