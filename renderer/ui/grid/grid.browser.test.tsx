import { useState } from 'react';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { show } from '../../testing/show.tsx';
import type { GridColumn, Sorting } from './columns.ts';
import type { GridProps } from './grid-props.ts';
import { Grid } from './grid.tsx';
import { useSelection } from './use-selection.ts';

interface Plan {
  readonly id: string;
  readonly title: string;
}

const plans = (count: number): readonly Plan[] =>
  Array.from({ length: count }, (_, index) => ({ id: `p${index}`, title: `Plan ${index}` }));

const columns: readonly GridColumn<Plan>[] = [
  {
    id: 'title',
    label: 'Title',
    width: 120,
    flexShare: 1,
    cell: ({ title }) => title,
    hint: ({ id }) => `CarePlan/${id}`,
  },
  { id: 'id', label: 'Id', width: 90, isMonospaced: true, cell: ({ id }) => id },
  { id: 'note', label: 'Note', width: 80, minGridWidth: 600, cell: () => 'none' },
];

const keyOf = ({ id }: Plan) => id;

/** A grid of a given width that manages its current row. */
function GridSample({ width = 500, ...props }: Partial<GridProps<Plan>> & { readonly width?: number }) {
  const [current, setCurrent] = useState(0);
  return (
    <div style={{ display: 'flex', width, height: 300 }}>
      <Grid
        label="Plans"
        columns={columns}
        rows={plans(5000)}
        rowHeight={28}
        current={current}
        keyOf={keyOf}
        onCurrent={setCurrent}
        {...props}
      />
    </div>
  );
}

/** A grid with selectable rows. */
function SelectableGrid({ rows, ...props }: Partial<GridProps<Plan>> & { readonly rows: readonly Plan[] }) {
  const selection = useSelection(rows, keyOf);
  return (
    <>
      <GridSample
        {...props}
        rows={rows}
        current={selection.current}
        selection={selection}
        onCurrent={(index) => selection.move(index)}
      />
      <output>{[...selection.chosen].join(' ')}</output>
    </>
  );
}

const grid = page.getByRole('grid', { name: 'Plans' });
const row = (name: string) => grid.getByRole('row', { name });
const selectionOutput = page.getByRole('status');

test('renders only visible rows and reports the total', async () => {
  await show(<GridSample total={9000} />);
  await expect.element(row('Plan 0 p0')).toBeVisible();
  await expect.element(grid).toHaveAttribute('aria-rowcount', '9001');
  expect(grid.getByRole('row').elements().length).toBeLessThan(30);
  await expect.element(row('Plan 1 p1')).toHaveAttribute('aria-rowindex', '3');
});

test('moves through the rows by keys and keeps the focus on the current row', async () => {
  await show(<GridSample />);
  await userEvent.click(row('Plan 0 p0'));
  await userEvent.keyboard('{ArrowDown}{ArrowDown}{ArrowUp}');
  await expect.element(row('Plan 1 p1')).toHaveFocus();
  await userEvent.keyboard('{End}');
  await expect.element(row('Plan 4999 p4999')).toHaveFocus();
  await expect.element(row('Plan 4999 p4999')).toBeInViewport();
  await userEvent.keyboard('{PageUp}');
  await expect.element(row('Plan 4991 p4991')).toHaveFocus();
  await userEvent.keyboard('{Home}');
  await expect.element(row('Plan 0 p0')).toHaveFocus();
  expect(grid.element().querySelectorAll('[tabindex="0"]')).toHaveLength(1);
});

test('keeps the focus on a row that is scrolled out of sight', async () => {
  await show(<GridSample />);
  await userEvent.click(row('Plan 3 p3'));
  grid.element().scrollTop = 50_000;
  await expect.element(row('Plan 1790 p1790')).toBeVisible();
  await expect.element(row('Plan 3 p3')).toHaveFocus();
});

test('opens a row on Enter and double click', async () => {
  const openedIds: string[] = [];
  await show(<GridSample onOpen={({ id }) => openedIds.push(id)} />);
  await userEvent.click(row('Plan 1 p1'));
  expect(openedIds).toEqual([]);
  await userEvent.keyboard('{ArrowDown}{Enter}');
  await userEvent.dblClick(row('Plan 4 p4'));
  expect(openedIds).toEqual(['p2', 'p4']);
});

test('opens a row on click and closes the details on Escape', async () => {
  const calls: string[] = [];
  const details = { shownKey: 'p1', onHide: () => calls.push('hidden') };
  await show(<GridSample details={details} onOpen={({ id }) => calls.push(id)} />);
  await expect.element(row('Plan 1 p1')).toHaveAttribute('aria-selected', 'true');
  await expect.element(row('Plan 0 p0')).toHaveAttribute('aria-selected', 'false');
  await userEvent.click(row('Plan 2 p2'));
  await userEvent.keyboard('{Escape}');
  expect(calls).toEqual(['p2', 'hidden']);
});

test('selects rows by pointer and by keys', async () => {
  await show(<SelectableGrid rows={plans(100)} />);
  await userEvent.click(row('Plan 1 p1'));
  await expect.element(selectionOutput).toHaveTextContent('');
  await userEvent.click(row('Plan 3 p3'), { modifiers: ['Shift'] });
  await expect.element(selectionOutput).toHaveTextContent('p1 p2 p3');
  await userEvent.click(row('Plan 2 p2'), { modifiers: ['ControlOrMeta'] });
  await expect.element(selectionOutput).toHaveTextContent('p1 p3');
  await expect.element(row('Plan 3 p3')).toHaveAttribute('aria-selected', 'true');
  await userEvent.keyboard('{Escape}{ArrowDown} ');
  await expect.element(selectionOutput).toHaveTextContent('p3');
  await userEvent.keyboard('{Shift>}{ArrowDown}{ArrowDown}{/Shift}');
  await expect.element(selectionOutput).toHaveTextContent('p3 p4 p5');
  await expect.element(row('Plan 5 p5')).toHaveFocus();
  await userEvent.keyboard('{Control>}a{/Control}');
  await expect.poll(() => selectionOutput.element().textContent.split(' ').length).toBe(100);
});

test('keeps the current row when the order or the list changes', async () => {
  const rows = plans(20);
  const screen = await show(<SelectableGrid rows={rows} />);
  await userEvent.click(row('Plan 3 p3'));
  await screen.rerender(<SelectableGrid rows={rows.toReversed()} />);
  await expect.element(row('Plan 3 p3')).toHaveAttribute('aria-rowindex', '18');
  await expect.element(row('Plan 3 p3')).toHaveAttribute('tabindex', '0');

  await screen.rerender(
    <SelectableGrid rows={rows.map((plan) => ({ ...plan, title: `${plan.title} v2` }))} />,
  );
  await expect.element(row('Plan 3 v2 p3')).toBeVisible();
  await screen.rerender(<SelectableGrid rows={rows.slice(0, 2)} />);
  await expect.poll(() => grid.getByRole('gridcell').elements().length).toBe(4);
  await expect.element(row('Plan 0 p0')).toHaveAttribute('tabindex', '0');
});

test('renders rows again when their columns change', async () => {
  const rows = plans(3);
  const screen = await show(<GridSample rows={rows} />);
  const changedColumns = columns.map((column) =>
    column.id === 'id' ? { ...column, cell: () => 'other' } : column,
  );
  await screen.rerender(<GridSample rows={rows} columns={changedColumns} />);
  await expect.element(row('Plan 0 other')).toBeVisible();
});

test('does not render rows again on scroll or when another becomes current', async () => {
  let renderCount = 0;
  const countingColumns: readonly GridColumn<Plan>[] = [
    {
      id: 'title',
      label: 'Title',
      width: 120,
      cell: ({ title }) => {
        renderCount += 1;
        return title;
      },
    },
  ];
  const rows = plans(1000);
  await show(<GridSample rows={rows} columns={countingColumns} />);
  await userEvent.click(row('Plan 2'));
  await expect.element(row('Plan 2')).toHaveFocus();
  renderCount = 0;
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(row('Plan 3')).toHaveFocus();
  expect(renderCount).toBeLessThanOrEqual(2);
  grid.element().scrollTop = 28;
  await expect.element(row('Plan 14')).toBeInTheDocument();
  expect(renderCount).toBeLessThanOrEqual(6);
});

test('sorts by header and reports the direction', async () => {
  const sortedIds: string[] = [];
  const sorting: Sorting = { column: 'id', descending: true };
  await show(<GridSample sorting={sorting} onSort={(id) => sortedIds.push(id)} />);
  const getHeader = (name: string) => grid.getByRole('columnheader', { name });
  await expect.element(getHeader('Id')).toHaveAttribute('aria-sort', 'descending');
  await expect.element(getHeader('Title')).toHaveAttribute('aria-sort', 'none');
  await userEvent.click(getHeader('Title').getByRole('button'));
  await userEvent.keyboard('{ArrowRight}{Enter}');
  expect(sortedIds).toEqual(['title', 'id']);
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(row('Plan 0 p0')).toHaveFocus();
});

test('has no header buttons in a list with a fixed order', async () => {
  await show(<GridSample />);
  await expect.element(grid.getByRole('columnheader', { name: 'Title' })).toBeVisible();
  expect(grid.getByRole('button').elements()).toEqual([]);
});

test('resizes a column by its edge and by Shift with an arrow key', async () => {
  const resizes: (readonly [string, number | undefined])[] = [];
  const screen = await show(
    <GridSample
      widths={{ id: 100 }}
      onSort={() => undefined}
      onResize={(id, width) => resizes.push([id, width])}
    />,
  );
  const header = grid.getByRole('columnheader', { name: 'Id' });
  await userEvent.click(header.getByRole('button'));
  await userEvent.keyboard('{Shift>}{ArrowRight}{ArrowLeft}{/Shift}');
  const edge = header.element().lastElementChild ?? header.element();
  const startX = edge.getBoundingClientRect().left;
  const dispatchPointer = (type: string, clientX: number) =>
    edge.dispatchEvent(new PointerEvent(type, { bubbles: true, button: 0, pointerId: 1, clientX }));
  edge.setPointerCapture = () => undefined;
  dispatchPointer('pointerdown', startX);
  dispatchPointer('pointermove', startX + 50);
  dispatchPointer('pointerup', startX + 50);
  dispatchPointer('pointermove', startX + 90);
  await userEvent.dblClick(page.elementLocator(edge));
  expect(resizes).toEqual([
    ['id', 116],
    ['id', 84],
    ['id', 150],
    ['id', undefined],
  ]);
  await screen.rerender(<GridSample widths={{ id: 150 }} onResize={() => undefined} />);
  const cell = row('Plan 0 p0').getByRole('gridcell').last();
  await expect.poll(() => cell.element().getBoundingClientRect().width).toBe(150);
});

test('shows a column if there is room', async () => {
  const screen = await show(<GridSample />);
  await expect.element(grid.getByRole('columnheader', { name: 'Id' })).toBeVisible();
  expect(grid.getByRole('columnheader', { name: 'Note' }).elements()).toEqual([]);
  await screen.rerender(<GridSample width={700} />);
  await expect.element(grid.getByRole('columnheader', { name: 'Note' })).toBeVisible();
  await expect.element(grid).toHaveAttribute('aria-colcount', '3');
});

test('sets the tooltip of a cell on hover', async () => {
  await show(<GridSample />);
  const cell = row('Plan 2 p2').getByRole('gridcell').first();
  await userEvent.hover(cell);
  await expect.element(cell).toHaveAttribute('title', 'CarePlan/p2');
});

test('opens the menu at the row by pointer and by keys', async () => {
  const menuPositions: { readonly y: number }[] = [];
  await show(<GridSample onMenu={(position) => menuPositions.push(position)} />);
  await userEvent.click(row('Plan 2 p2'), { button: 'right' });
  await userEvent.keyboard('{ArrowDown}{Shift>}{F10}{/Shift}');
  const { top, bottom } = row('Plan 3 p3').element().getBoundingClientRect();
  expect(menuPositions).toHaveLength(2);
  expect(menuPositions[0]?.y).toBeLessThan(top);
  expect(menuPositions[1]?.y).toBe(bottom);
});

test('requests more rows at the end only if there are more', async () => {
  let endCount = 0;
  const onEnd = () => (endCount += 1);
  const screen = await show(<GridSample rows={plans(200)} total={200} onEnd={onEnd} />);
  grid.element().scrollTop = 1e6;
  await expect.element(row('Plan 199 p199')).toBeVisible();
  expect(endCount).toBe(0);
  await screen.rerender(<GridSample rows={plans(200)} total={300} onEnd={onEnd} />);
  await expect.poll(() => endCount).toBeGreaterThan(0);
});
