import { Button, Progress } from '@mantine/core';
import { IconLayoutSidebarRight, IconReplace } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useWorkbenchActions } from '../../platform/workbench-actions.ts';
import { toFailure } from '../../ui/failure.ts';
import { useAnnounce } from '../../ui/status-store.ts';
import { text } from '../../ui/text.ts';
import { clockTime } from '../../ui/time.ts';
import { ColumnsMenu } from './columns-menu.tsx';
import { bulkSourceOf, scopeOf } from './describe.ts';
import { ExportMenu, ExportProgress, type ExportMenuProps } from './export-menu.tsx';
import { referenceForms } from './reference-forms.ts';
import styles from './search.module.css';
import frame from '../../ui/view.module.css';
import type { Search } from './use-search.ts';

interface ResultFootProps extends ExportMenuProps {
  /** The column that is sorted among the loaded rows alone. */
  readonly partial: string | undefined;
  /** Ids of the columns that there is room for. */
  readonly fitting: readonly string[];
  /** Absent where there is none. */
  readonly preview: { readonly shown: boolean; readonly toggle: () => void } | undefined;
}

/** Beneath the grid: how many there are and how many are here, the way to the rest, and the columns. */
export function ResultFoot({ preview, partial, ...props }: ResultFootProps) {
  const { search, submitted, chosen, columns, exporting } = props;
  const { query, rows, total, atLeast, repeated } = search;
  const actions = useWorkbenchActions();
  const forms = useMemo(() => referenceForms(submitted, rows), [submitted, rows]);
  const found = text.results.total(submitted.type, total, scopeOf(submitted));
  return (
    <div className={`${frame.foot} ${styles.foot}`}>
      {query.isError && <Problem query={query} />}
      <span className={styles.total} title={query.isPlaceholderData ? undefined : found}>
        {query.isPlaceholderData ? text.results.searching : found}
        {atLeast && ` ${text.results.noTotal}`}
      </span>
      {query.hasNextPage && !query.isPlaceholderData && <More search={search} />}
      {repeated > 0 && !query.isPlaceholderData && <span>{text.results.repeated(repeated)}</span>}
      {forms !== '' && !query.isPlaceholderData && <span>{forms}</span>}
      {partial !== undefined && <span>{text.results.sortedHere(partial, rows.length, total)}</span>}
      {search.outdated && (
        <>
          <span>{text.results.outdated}</span>
          <Button onClick={() => search.submit(submitted)}>{text.results.again}</Button>
        </>
      )}
      <ExportProgress exporting={exporting} />
      <span className={frame.keys}>
        {chosen.size > 0 ? (
          text.results.selected(chosen.size)
        ) : (
          <span className={styles.keysHint}>{text.results.keys}</span>
        )}
      </span>
      <Button
        leftSection={<IconReplace size={14} aria-hidden />}
        aria-label={text.bulk.inResults}
        title={text.bulk.inResults}
        onClick={() => actions.replaceInAll(bulkSourceOf(submitted, total))}
      >
        {text.results.replace}
      </Button>
      <ExportMenu {...props} />
      <ColumnsMenu {...columns} fitting={props.fitting} />
      {preview && (
        <Button
          aria-pressed={preview.shown}
          title={text.preview.toggle}
          leftSection={<IconLayoutSidebarRight size={14} aria-hidden />}
          onClick={preview.toggle}
        >
          {text.preview.toggle}
        </Button>
      )}
    </div>
  );
}

/** Why there is no more, or why what is here is of a while ago. */
function Problem({ query }: Pick<Search, 'query'>) {
  const nextFailed = query.isFetchNextPageError;
  const read = clockTime(new Date(query.dataUpdatedAt).toISOString());
  const said = nextFailed ? text.results.moreFailed : text.results.notRepeated(read);
  return (
    <span className={styles.footProblem} role="alert">
      {[said, ...toFailure(query.error).sentences].join(' ')}
      <Button onClick={() => void (nextFailed ? query.fetchNextPage() : query.refetch())}>
        {text.failure.retry}
      </Button>
    </span>
  );
}

function More({ search }: { readonly search: Search }) {
  const { query, rows, total, atLeast, loadingAll, loadAll, stop } = search;
  const announce = useAnnounce();
  return (
    <>
      {!atLeast && <span>{text.results.loaded(rows.length, total)}</span>}
      {loadingAll ? (
        <>
          <Progress
            className={styles.progress}
            value={total === 0 ? 0 : (rows.length / total) * 100}
            aria-label={text.results.progress}
          />
          <Button
            onClick={() => {
              stop();
              announce(text.results.stopped(rows.length, total));
            }}
          >
            {text.results.stop}
          </Button>
        </>
      ) : (
        <>
          <Button loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {text.results.more}
          </Button>
          <Button onClick={loadAll}>{text.results.all}</Button>
        </>
      )}
    </>
  );
}
