import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import type { ReactTable } from '@tanstack/react-table';
import type { features } from './result-columns.tsx';
import type { ResultRow } from './result-rows.ts';
import styles from './search.module.css';

const directions = { asc: 'ascending', desc: 'descending' } as const;

/** The grid's head: each column a button that sorts, and says how. */
export function GridHeader({ table }: { readonly table: ReactTable<typeof features, ResultRow> }) {
  return (
    <div role="rowgroup" className={styles.head}>
      {table.getHeaderGroups().map((group) => (
        <div key={group.id} role="row" aria-rowindex={1} className={styles.headRow}>
          {group.headers.map((header) => {
            const sorted = header.column.getIsSorted();
            return (
              <div
                key={header.id}
                role="columnheader"
                className={styles.headCell}
                aria-sort={sorted === false ? 'none' : directions[sorted]}
              >
                <button type="button" onClick={header.column.getToggleSortingHandler()}>
                  <span>
                    <table.FlexRender header={header} />
                  </span>
                  {sorted === 'asc' && <IconArrowUp size={12} aria-hidden />}
                  {sorted === 'desc' && <IconArrowDown size={12} aria-hidden />}
                </button>
              </div>
            );
          })}
        </div>
      ))}
    </div>
  );
}
