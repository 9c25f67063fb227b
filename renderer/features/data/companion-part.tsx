import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { CompanionList, CompanionsRemoved } from '../../../core/app/companions.ts';
import { collectLines } from '../../platform/collect-lines.ts';
import { useAnswer } from '../../platform/use-answer.ts';
import { useChange } from '../../platform/use-change.ts';
import { fileName, saveFile } from '../../platform/save-file.ts';
import { openCompanions } from '../../platform/transfer.ts';
import { Answered } from '../../ui/answered.tsx';
import { RequestFailure } from '../../ui/failure-message.tsx';
import { formatCount } from '../../ui/format.ts';
import { Question } from '../../ui/question.tsx';
import { useAnnounce } from '../../ui/status-store.ts';
import { TableHead } from '../../ui/table-head.tsx';
import { text } from '../../ui/text.ts';
import styles from './data.module.css';

const words = text.companions;

/** What came with the records and is none: how many of each type, taken out, and removed. */
export function CompanionPart() {
  const query = useAnswer('/companions', CompanionList, { queryKey: ['companions'] });
  return (
    <Answered query={query} failed={words.failed}>
      {({ types }) => <Companions types={types} />}
    </Answered>
  );
}

/** What is to be removed: a type, or all. */
interface Asked {
  readonly type: string | undefined;
  readonly count: number;
}

function Companions({ types }: CompanionList) {
  const announce = useAnnounce();
  const [asking, setAsking] = useState<Asked>();
  const [said, setSaid] = useState<string>();
  const total = types.reduce((sum, { count }) => sum + count, 0);
  const end = (sentence: string) => {
    setSaid(sentence);
    announce(sentence);
  };
  const exporting = useExport(end);
  return (
    <div className={styles.column}>
      <h2>{words.heading}</h2>
      <p>{words.what}</p>
      {said !== undefined && (
        <p className={styles.summary} data-tone="good">
          {said}
        </p>
      )}
      <RequestFailure title={words.notExported} of={exporting} />
      {total === 0 ? (
        <p>{words.empty}</p>
      ) : (
        <>
          <div className={styles.row}>
            <span className={styles.figures}>{words.total(total)}</span>
            <Button disabled={exporting.isPending} onClick={() => exporting.mutate(undefined)}>
              {words.exportAll}
            </Button>
            <Button
              color="red"
              variant="outline"
              onClick={() => setAsking({ type: undefined, count: total })}
            >
              {words.removeAll}
            </Button>
          </div>
          <CompanionTable types={types} exporting={exporting} onRemove={setAsking} />
        </>
      )}
      {asking && (
        <RemoveQuestion
          asked={asking}
          onKeep={() => setAsking(undefined)}
          onRemoved={(removed) => {
            setAsking(undefined);
            end(words.removed(removed));
          }}
        />
      )}
    </div>
  );
}

/** Saves what is of a type, or all, as a file; `onEnd` is told so in words. */
function useExport(onEnd: (sentence: string) => void) {
  return useMutation({
    mutationFn: async (type: string | undefined) => {
      const { blob, lines } = await collectLines(await openCompanions(type));
      const name = fileName(type ?? 'companions', 'ndjson');
      saveFile(blob, name);
      return words.exported(lines, name);
    },
    onSuccess: onEnd,
  });
}

interface CompanionTableProps extends CompanionList {
  readonly exporting: ReturnType<typeof useExport>;
  readonly onRemove: (asked: Asked) => void;
}

function CompanionTable({ types, exporting, onRemove }: CompanionTableProps) {
  return (
    <table className={`${styles.table} ${styles.narrow}`} aria-label={words.table}>
      <TableHead
        columns={[words.columns.type, [words.columns.count, styles.number]]}
        action={words.columns.action}
      />
      <tbody>
        {types.map(({ type, count }) => (
          <tr key={type}>
            <th scope="row">{type}</th>
            <td className={styles.number}>{formatCount(count)}</td>
            <td className={styles.number}>
              <div className={styles.actions}>
                <Button
                  disabled={exporting.isPending}
                  aria-label={words.exportOf(type)}
                  onClick={() => exporting.mutate(type)}
                >
                  {words.export}
                </Button>
                <Button aria-label={words.removeOf(type)} onClick={() => onRemove({ type, count })}>
                  {words.remove}
                </Button>
              </div>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface RemoveQuestionProps {
  readonly asked: Asked;
  readonly onKeep: () => void;
  readonly onRemoved: (removed: number) => void;
}

function RemoveQuestion({ asked: { type, count }, onKeep, onRemoved }: RemoveQuestionProps) {
  const { question } = words;
  // What was read of them is no more: all is read anew.
  const remove = useChange(
    (client) =>
      client.ask(CompanionsRemoved, 'DELETE', type === undefined ? '/companions' : `/companions/${type}`),
    ({ removed }) => onRemoved(removed),
  );
  return (
    <Question
      title={question.title}
      confirm={question.confirm}
      keep={question.keep}
      busy={remove.isPending}
      onConfirm={() => remove.mutate()}
      onKeep={onKeep}
    >
      <p>{type === undefined ? question.all(count) : question.some(count, type)}</p>
      <p>{question.what}</p>
      <RequestFailure title={question.failed} of={remove} />
    </Question>
  );
}
