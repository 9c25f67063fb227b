import { Button, Menu, Progress } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { listedOnce } from '../../../core/app/listed-once.ts';
import { useConnection } from '../../platform/connection.ts';
import { useAnnounce } from '../../ui/status-store.ts';
import { text } from '../../ui/text.ts';
import { queryOf, type Criteria } from './criteria.ts';
import {
  csvHead,
  csvRows,
  foundOnce,
  pagesOf,
  recordsOf,
  recordsOfRows,
  written,
  type Format,
  type Written,
} from './export-content.ts';
import { exportedColumns } from './result-columns.tsx';
import { rowKey, type ResultRow } from './result-rows.ts';
import styles from './search.module.css';
import { useAskedColumns, type Columns } from './use-columns.ts';
import type { Export, ExportToWrite } from './use-export.ts';
import { readPage } from './use-results.ts';
import type { Search } from './use-search.ts';

export interface ExportMenuProps {
  readonly search: Search;
  readonly submitted: Criteria;
  readonly columns: Columns;
  /** In the order that they are shown in. */
  readonly rows: readonly ResultRow[];
  /** Keys of those that are chosen; they alone are exported. */
  readonly chosen: ReadonlySet<string>;
  readonly exporting: Export;
}

const choices = ['csv', 'ndjson', 'bundle'] as const satisfies readonly Format[];

/** Writes what the search finds, or the rows that are chosen of it, into a file. */
export function ExportMenu(props: ExportMenuProps) {
  const { search, submitted, exporting, chosen } = props;
  const contentOf = useContent(props);
  const { type } = submitted;
  const { job, start } = exporting;
  return (
    <Menu position="top-end">
      <Menu.Target>
        <Button
          title={text.export.name}
          leftSection={<IconDownload size={14} aria-hidden />}
          disabled={job !== undefined && !job.sentences}
        >
          {text.export.name}
        </Button>
      </Menu.Target>
      <Menu.Dropdown aria-label={text.export.name}>
        <Menu.Label>
          {chosen.size > 0
            ? text.export.selected(chosen.size)
            : text.export.all(type, search.total, search.atLeast)}
        </Menu.Label>
        {choices.map((format) => (
          <Menu.Item key={format} onClick={() => void start(contentOf(format))}>
            {text.export.formats[format]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function useContent({ search, submitted, columns, rows, chosen }: ExportMenuProps) {
  const { client, fhirBase, remote } = useConnection();
  const asked = queryOf(submitted);
  const { type } = asked;
  const read = useAskedColumns(type);
  const shown = exportedColumns(type, columns.shown);

  return (format: Format): ExportToWrite => {
    const selected = rows.filter((row) => chosen.has(rowKey(row)));
    const some = selected.length > 0;
    const total = some ? selected.length : search.atLeast ? undefined : search.total;
    // Begun anew by each attempt: what a failed one had read is no double.
    let repeated = () => 0;
    async function* rowsFound(): AsyncGenerator<Written> {
      const list = listedOnce<ResultRow>(({ id }) => id);
      ({ repeated } = list);
      const pages = pagesOf((next) => readPage(client, asked, { next, counted: !remote, columns: read }));
      for await (const page of pages) yield csvRows(shown, list.take(page.rows));
    }
    async function* records(): AsyncGenerator<Written> {
      const list = foundOnce();
      ({ repeated } = list);
      const found = some ? recordsOfRows(client, type, selected) : recordsOf(client, asked, list);
      for await (const page of found)
        yield written(format === 'bundle' ? 'bundle' : 'ndjson', page, fhirBase);
    }
    const common = { format, type, total, repeated: () => repeated() };
    if (format !== 'csv') return { ...common, pages: records };
    return { ...common, head: csvHead(shown), pages: some ? () => [csvRows(shown, selected)] : rowsFound };
  };
}

/** How far an export is, with the way to stop it; or why there is none. */
export function ExportProgress({ exporting }: { readonly exporting: Export }) {
  const announce = useAnnounce();
  const { job, start, stop } = exporting;
  if (!job) return null;
  const { asked, done, sentences } = job;
  const { total } = asked;
  if (sentences) {
    return (
      <span className={styles.footProblem} role="alert">
        {[text.export.failed(done, total), ...sentences].join(' ')}
        <Button onClick={() => void start(asked)}>{text.failure.retry}</Button>
        <Button onClick={stop}>{text.export.dismiss}</Button>
      </span>
    );
  }
  return (
    <>
      <span>{text.export.progress(done, total)}</span>
      {total !== undefined && total > 0 && (
        <Progress
          className={styles.progress}
          value={(done / total) * 100}
          aria-label={text.export.progressName}
        />
      )}
      <Button
        onClick={() => {
          stop();
          announce(text.export.stopped(done));
        }}
      >
        {text.export.stop}
      </Button>
    </>
  );
}
