import { useElementSize } from '@mantine/hooks';
import { useState } from 'react';
import { usePreference } from '../../platform/preferences.ts';
import { useSelection } from '../../ui/grid/use-selection.ts';
import type { Criteria } from './criteria.ts';
import { PreviewPane, type DrawPreview } from './preview-pane.tsx';
import { ResultFoot } from './result-foot.tsx';
import { ResultGrid } from './result-grid.tsx';
import { rowKey } from './result-rows.ts';
import frame from '../../ui/view.module.css';
import { useColumns } from './use-columns.ts';
import type { Export } from './use-export.ts';
import type { Search } from './use-search.ts';
import { useSorting } from './use-sorting.ts';

interface ResultFaceProps {
  readonly search: Search;
  readonly submitted: Criteria;
  readonly draw: DrawPreview | undefined;
  readonly exporting: Export;
}

/** Width of the view in CSS pixels from which the grid has room beside the preview. */
const roomForBoth = 1028;

/** The full face of a search: the grid, the record under its cursor, and the foot. */
export function ResultFace({ search, submitted, draw, exporting }: ResultFaceProps) {
  const { sorted, sorting, toggle, partial } = useSorting(search);
  const columns = useColumns(submitted.type);
  const selection = useSelection(sorted, rowKey);
  const { ref, width } = useElementSize();
  const [kept, keep] = usePreference('preview');
  const [asked, ask] = useState(false);
  const [fitting, fit] = useState<readonly string[]>([]);
  // Where there is no room it lies over the grid, and only when it is called.
  const over = width > 0 && width < roomForBoth;
  const shown = draw !== undefined && width > 0 && (over ? asked : kept);
  const show = over ? ask : keep;
  return (
    <>
      <div ref={ref} className={frame.beside}>
        <ResultGrid
          rows={sorted}
          total={search.total}
          busy={search.query.isFetching}
          columns={columns}
          sorting={sorting}
          onSort={toggle}
          selection={selection}
          onFit={fit}
        />
        {shown && (
          <PreviewPane row={sorted[selection.current]} over={over} draw={draw} onClose={() => show(false)} />
        )}
      </div>
      <ResultFoot
        search={search}
        submitted={submitted}
        rows={sorted}
        chosen={selection.chosen}
        exporting={exporting}
        partial={partial}
        columns={columns}
        fitting={fitting}
        preview={draw && { shown, toggle: () => show(!shown) }}
      />
    </>
  );
}
