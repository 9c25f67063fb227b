import { Tooltip } from '@mantine/core';
import { text } from '../../ui/text.ts';
import { useReadingParts } from './reading-context.ts';
import styles from './reading.module.css';

/** What was found of a block, in its margin: how much, how grave, and the way to the first in the JSON. */
export function Marks({ pointer }: { readonly pointer: string }) {
  const { found, onGo } = useReadingParts();
  const issues = found.get(pointer);
  const [first] = issues ?? [];
  if (!issues || !first) return null;
  const gravest = issues.find(({ severity }) => severity === 'error') ?? first;
  const sentences = issues.map((one) => one.text);
  return (
    <Tooltip
      multiline
      maw={360}
      label={sentences.slice(0, most).map((sentence) => (
        <div key={sentence}>{sentence}</div>
      ))}
    >
      <button
        type="button"
        className={styles.mark}
        data-acts
        data-severity={gravest.severity}
        aria-label={text.reading.found(issues.length, sentences.slice(0, most).join(' '))}
        onClick={() => onGo(gravest)}
      >
        {issues.length}
      </button>
    </Tooltip>
  );
}

/** More sentences than this are not read in a tooltip. */
const most = 6;
