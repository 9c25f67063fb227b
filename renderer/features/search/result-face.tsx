import { useSelection } from '../../ui/grid/use-selection.ts';
import type { Criteria } from './criteria.ts';
import { ResultFoot } from './result-foot.tsx';
import { ResultGrid } from './result-grid.tsx';
import { rowKey } from './result-rows.ts';
import { useColumns } from './use-columns.ts';
import type { Search } from './use-search.ts';
import { useSorting } from './use-sorting.ts';

interface ResultFaceProps {
  readonly search: Search;
  readonly submitted: Criteria;
}

/** The full face of a search: the grid and its foot. */
export function ResultFace({ search, submitted }: ResultFaceProps) {
  const { sorted, sorting, toggle, partial } = useSorting(search);
  const columns = useColumns();
  const selection = useSelection(sorted, rowKey);
  return (
    <>
      <ResultGrid
        rows={sorted}
        total={search.total}
        busy={search.query.isFetching}
        columns={columns}
        sorting={sorting}
        onSort={toggle}
        selection={selection}
      />
      <ResultFoot
        search={search}
        submitted={submitted}
        selected={selection.chosen.size}
        partial={partial}
        columns={columns}
      />
    </>
  );
}
