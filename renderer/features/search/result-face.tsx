import { useElementSize } from '@mantine/hooks';
import { useState } from 'react';
import { usePreference } from '../../platform/preferences.ts';
import { useSelection } from '../../ui/grid/use-selection.ts';
import type { Criteria } from './criteria.ts';
import { PreviewPane, type RenderPreview } from './preview-pane.tsx';
import { ResultFooter } from './result-foot.tsx';
import { ResultGrid } from './result-grid.tsx';
import { rowKey } from './result-rows.ts';
import frame from '../../ui/view.module.css';
import { useColumns } from './use-columns.ts';
import type { Export } from './use-export.ts';
import type { Search } from './use-search.ts';
import { useSorting } from './use-sorting.ts';

interface ResultFaceProps {
  readonly search: Search;
  readonly submittedCriteria: Criteria;
  readonly draw: RenderPreview | undefined;
  readonly exporting: Export;
}

/** Minimum width of the view in CSS pixels for grid and preview side by side. */
const roomForBoth = 1028;

/** Results of a search: grid, preview of the current record, and footer. */
export function ResultPanel({ search, submittedCriteria, draw, exporting }: ResultFaceProps) {
  const { sortedRows, sorting, toggle, partial } = useSorting(search);
  const columns = useColumns(submittedCriteria.type);
  const selection = useSelection(sortedRows, rowKey);
  const { ref, width } = useElementSize();
  const [isPreviewPinned, pinPreview] = usePreference('preview');
  const [isPreviewRequested, requestPreview] = useState(false);
  const [fitting, fit] = useState<readonly string[]>([]);
  // Without space for both, the preview covers the grid and opens only on request.
  const isOverlay = width > 0 && width < roomForBoth;
  const isPreviewVisible =
    draw !== undefined && width > 0 && (isOverlay ? isPreviewRequested : isPreviewPinned);
  const show = isOverlay ? requestPreview : pinPreview;
  return (
    <>
      <div ref={ref} className={frame.beside}>
        <ResultGrid
          rows={sortedRows}
          total={search.total}
          busy={search.query.isFetching}
          columns={columns}
          sorting={sorting}
          onSort={toggle}
          selection={selection}
          onFit={fit}
        />
        {isPreviewVisible && (
          <PreviewPane
            row={sortedRows[selection.current]}
            isOverlay={isOverlay}
            draw={draw}
            onClose={() => show(false)}
          />
        )}
      </div>
      <ResultFooter
        search={search}
        submittedCriteria={submittedCriteria}
        rows={sortedRows}
        selectedKeys={selection.chosen}
        exporting={exporting}
        partial={partial}
        columns={columns}
        fitting={fitting}
        preview={draw && { shown: isPreviewVisible, toggle: () => show(!isPreviewVisible) }}
      />
    </>
  );
}
