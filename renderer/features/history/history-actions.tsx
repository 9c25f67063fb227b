import { Button, Tooltip } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { restoreContent } from '../../../core/fhir/record.ts';
import { formatNode } from '../../../core/json/node.ts';
import { useConnection } from '../../platform/connection.ts';
import { toFailure } from '../../ui/failure.ts';
import { useAnnounce } from '../../ui/status-store.ts';
import { SheetFooter } from '../../ui/sheet-footer.tsx';
import { text } from '../../ui/text.ts';
import frame from '../../ui/view.module.css';
import type { VersionPair } from './history-state.ts';
import { versionOptions, type Subject } from './use-history.ts';

/** Restores the content of an earlier version as an edit of the current one. */
export type Restore = (text: string, version: number) => void;

interface HistoryActionsProps {
  readonly subject: Subject;
  /** Version that can be restored. */
  readonly selectedVersion: number;
  readonly current: number | undefined;
  readonly pair: VersionPair;
  readonly onCompare?: (pair: VersionPair) => void;
  readonly onRestore: Restore;
}

/** Actions for the version at the cursor and for the two selected versions. */
export function HistoryActions(props: HistoryActionsProps) {
  const { subject, selectedVersion, current, pair, onCompare, onRestore } = props;
  const connection = useConnection();
  const queries = useQueryClient();
  const announce = useAnnounce();
  const { id, versionId, lastUpdated } = subject;
  const restore = useMutation({
    mutationFn: () => queries.query(versionOptions(connection, subject, selectedVersion)),
    onSuccess: (root) => {
      const record = root && restoreContent(root, { id, version: versionId, lastUpdated });
      if (record) onRestore(formatNode(record), selectedVersion);
    },
    onError: (error) => announce(toFailure(error).sentences.join(' ')),
  });
  const isCurrent = selectedVersion === current;
  return (
    <SheetFooter className={frame.actions}>
      {onCompare && (
        <Button onClick={() => onCompare(pair)}>{text.history.compare(pair.older, pair.newer)}</Button>
      )}
      <Tooltip label={isCurrent ? text.history.restoreCurrent : text.history.restoreHint}>
        <Button
          {...(isCurrent && { 'data-disabled': true })}
          aria-disabled={isCurrent}
          loading={restore.isPending}
          onClick={isCurrent ? undefined : () => restore.mutate()}
        >
          {text.history.restore(selectedVersion)}
        </Button>
      </Tooltip>
    </SheetFooter>
  );
}
