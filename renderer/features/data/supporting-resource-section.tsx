import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import {
  SupportingResourceList,
  SupportingResourcesRemoved,
} from '../../../core/app/supporting-resources.ts';
import { collectLines } from '../../platform/collect-lines.ts';
import { useAppQuery } from '../../platform/use-answer.ts';
import { useChange } from '../../platform/use-change.ts';
import { fileName, saveFile } from '../../platform/save-file.ts';
import { openSupportingResources } from '../../platform/transfer.ts';
import { QueryContent } from '../../ui/query-state.tsx';
import { RequestFailure } from '../../ui/failure-message.tsx';
import { formatCount } from '../../ui/format.ts';
import { Question } from '../../ui/question.tsx';
import { useAnnounce } from '../../ui/status-store.ts';
import { TableHead } from '../../ui/table-head.tsx';
import { text } from '../../ui/text.ts';
import styles from './data.module.css';

const messages = text.supportingResources;

/** Supporting resources by type, with export and removal. */
export function SupportingResourceSection() {
  const query = useAppQuery('/companions', SupportingResourceList, { queryKey: ['companions'] });
  return (
    <QueryContent query={query} failureTitle={messages.failed}>
      {({ types }) => <SupportingResources types={types} />}
    </QueryContent>
  );
}

/** Resources to remove: a type, or all. */
interface RemovalRequest {
  readonly type: string | undefined;
  readonly count: number;
}

function SupportingResources({ types }: SupportingResourceList) {
  const announce = useAnnounce();
  const [removal, setRemoval] = useState<RemovalRequest>();
  const [message, setMessage] = useState<string>();
  const total = types.reduce((sum, { count }) => sum + count, 0);
  const showMessage = (sentence: string) => {
    setMessage(sentence);
    announce(sentence);
  };
  const exporting = useExport(showMessage);
  return (
    <div className={styles.column}>
      <h2>{messages.heading}</h2>
      <p>{messages.what}</p>
      {message !== undefined && (
        <p className={styles.summary} data-tone="good">
          {message}
        </p>
      )}
      <RequestFailure title={messages.notExported} query={exporting} />
      {total === 0 ? (
        <p>{messages.empty}</p>
      ) : (
        <>
          <div className={styles.row}>
            <span className={styles.figures}>{messages.total(total)}</span>
            <Button disabled={exporting.isPending} onClick={() => exporting.mutate(undefined)}>
              {messages.exportAll}
            </Button>
            <Button
              color="red"
              variant="outline"
              onClick={() => setRemoval({ type: undefined, count: total })}
            >
              {messages.removeAll}
            </Button>
          </div>
          <SupportingResourceTable types={types} exporting={exporting} onRemove={setRemoval} />
        </>
      )}
      {removal && (
        <RemoveQuestion
          request={removal}
          onKeep={() => setRemoval(undefined)}
          onRemoved={(removedCount) => {
            setRemoval(undefined);
            showMessage(messages.removed(removedCount));
          }}
        />
      )}
    </div>
  );
}

/** Saves the resources of a type, or all, as a file. Calls `onEnd` with a message. */
function useExport(onEnd: (sentence: string) => void) {
  return useMutation({
    mutationFn: async (type: string | undefined) => {
      const { blob, lineCount } = await collectLines(await openSupportingResources(type));
      const name = fileName(type ?? 'companions', 'ndjson');
      saveFile(blob, name);
      return messages.exported(lineCount, name);
    },
    onSuccess: onEnd,
  });
}

interface SupportingResourceTableProps extends SupportingResourceList {
  readonly exporting: ReturnType<typeof useExport>;
  readonly onRemove: (request: RemovalRequest) => void;
}

function SupportingResourceTable({ types, exporting, onRemove }: SupportingResourceTableProps) {
  return (
    <table className={`${styles.table} ${styles.narrow}`} aria-label={messages.table}>
      <TableHead
        columns={[messages.columns.type, [messages.columns.count, styles.number]]}
        action={messages.columns.action}
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
                  aria-label={messages.exportOf(type)}
                  onClick={() => exporting.mutate(type)}
                >
                  {messages.export}
                </Button>
                <Button aria-label={messages.removeOf(type)} onClick={() => onRemove({ type, count })}>
                  {messages.remove}
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
  readonly request: RemovalRequest;
  readonly onKeep: () => void;
  readonly onRemoved: (removedCount: number) => void;
}

function RemoveQuestion({ request: { type, count }, onKeep, onRemoved }: RemoveQuestionProps) {
  const { question } = messages;
  // Cached queries may contain removed resources, so all are reloaded.
  const remove = useChange(
    (client) =>
      client.requestAs(
        SupportingResourcesRemoved,
        'DELETE',
        type === undefined ? '/companions' : `/companions/${type}`,
      ),
    ({ removed: removedCount }) => onRemoved(removedCount),
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
      <RequestFailure title={question.failed} query={remove} />
    </Question>
  );
}
