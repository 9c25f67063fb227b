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
    share: 1,
    cell: ({ title }) => title,
    hint: ({ id }) => `CarePlan/${id}`,
  },
  { id: 'id', label: 'Id', width: 90, mono: true, cell: ({ id }) => id },
  { id: 'note', label: 'Note', width: 80, from: 600, cell: () => 'none' },
];

const keyOf = ({ id }: Plan) => id;

/** A grid of so many pixels with what a list of its own would keep. */
function List({ width = 500, ...props }: Partial<GridProps<Plan>> & { readonly width?: number }) {
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

/** A grid in which rows are chosen. */
function Choices({ rows, ...props }: Partial<GridProps<Plan>> & { readonly rows: readonly Plan[] }) {
  const selection = useSelection(rows, keyOf);
  return (
    <>
      <List
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
const chosen = page.getByRole('status');

test('rows in sight are drawn, and told of as part of all', async () => {
  await show(<List total={9000} />);
  await expect.element(row('Plan 0 p0')).toBeVisible();
  await expect.element(grid).toHaveAttribute('aria-rowcount', '9001');
  expect(grid.getByRole('row').elements().length).toBeLessThan(30);
  await expect.element(row('Plan 1 p1')).toHaveAttribute('aria-rowindex', '3');
});

test('keys move through the rows, and the row at hand keeps the focus', async () => {
  await show(<List />);
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

test('a row that is scrolled out of sight keeps the focus', async () => {
  await show(<List />);
  await userEvent.click(row('Plan 3 p3'));
  grid.element().scrollTop = 50_000;
  await expect.element(row('Plan 1790 p1790')).toBeVisible();
  await expect.element(row('Plan 3 p3')).toHaveFocus();
});

test('Enter and a double click open a row', async () => {
  const opened: string[] = [];
  await show(<List onOpen={({ id }) => opened.push(id)} />);
  await userEvent.click(row('Plan 1 p1'));
  expect(opened).toEqual([]);
  await userEvent.keyboard('{ArrowDown}{Enter}');
  await userEvent.dblClick(row('Plan 4 p4'));
  expect(opened).toEqual(['p2', 'p4']);
});

test('where details stand beside the grid a click opens a row, and Escape closes the details', async () => {
  const told: string[] = [];
  const details = { shown: 'p1', onHide: () => told.push('hidden') };
  await show(<List details={details} onOpen={({ id }) => told.push(id)} />);
  await expect.element(row('Plan 1 p1')).toHaveAttribute('aria-selected', 'true');
  await expect.element(row('Plan 0 p0')).toHaveAttribute('aria-selected', 'false');
  await userEvent.click(row('Plan 2 p2'));
  await userEvent.keyboard('{Escape}');
  expect(told).toEqual(['p2', 'hidden']);
});

test('rows are chosen by pointer and by keys', async () => {
  await show(<Choices rows={plans(100)} />);
  await userEvent.click(row('Plan 1 p1'));
  await expect.element(chosen).toHaveTextContent('');
  await userEvent.click(row('Plan 3 p3'), { modifiers: ['Shift'] });
  await expect.element(chosen).toHaveTextContent('p1 p2 p3');
  await userEvent.click(row('Plan 2 p2'), { modifiers: ['ControlOrMeta'] });
  await expect.element(chosen).toHaveTextContent('p1 p3');
  await expect.element(row('Plan 3 p3')).toHaveAttribute('aria-selected', 'true');
  await userEvent.keyboard('{Escape}{ArrowDown} ');
  await expect.element(chosen).toHaveTextContent('p3');
  await userEvent.keyboard('{Shift>}{ArrowDown}{ArrowDown}{/Shift}');
  await expect.element(chosen).toHaveTextContent('p3 p4 p5');
  await expect.element(row('Plan 5 p5')).toHaveFocus();
  await userEvent.keyboard('{Control>}a{/Control}');
  await expect.poll(() => chosen.element().textContent.split(' ').length).toBe(100);
});

test('the row at hand stays it when the order changes, and another list is drawn', async () => {
  const rows = plans(20);
  const screen = await show(<Choices rows={rows} />);
  await userEvent.click(row('Plan 3 p3'));
  await screen.rerender(<Choices rows={rows.toReversed()} />);
  await expect.element(row('Plan 3 p3')).toHaveAttribute('aria-rowindex', '18');
  await expect.element(row('Plan 3 p3')).toHaveAttribute('tabindex', '0');

  await screen.rerender(<Choices rows={rows.map((plan) => ({ ...plan, title: `${plan.title} v2` }))} />);
  await expect.element(row('Plan 3 v2 p3')).toBeVisible();
  await screen.rerender(<Choices rows={rows.slice(0, 2)} />);
  await expect.poll(() => grid.getByRole('gridcell').elements().length).toBe(4);
  await expect.element(row('Plan 0 p0')).toHaveAttribute('tabindex', '0');
});

test('a row whose columns draw something else is drawn anew', async () => {
  const rows = plans(3);
  const screen = await show(<List rows={rows} />);
  const loud = columns.map((column) => (column.id === 'id' ? { ...column, cell: () => 'other' } : column));
  await screen.rerender(<List rows={rows} columns={loud} />);
  await expect.element(row('Plan 0 other')).toBeVisible();
});

test('a scrolled row is not drawn anew, nor are its neighbours when one becomes current', async () => {
  let drawn = 0;
  const counting: readonly GridColumn<Plan>[] = [
    {
      id: 'title',
      label: 'Title',
      width: 120,
      cell: ({ title }) => {
        drawn += 1;
        return title;
      },
    },
  ];
  const rows = plans(1000);
  await show(<List rows={rows} columns={counting} />);
  await userEvent.click(row('Plan 2'));
  await expect.element(row('Plan 2')).toHaveFocus();
  drawn = 0;
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(row('Plan 3')).toHaveFocus();
  expect(drawn).toBeLessThanOrEqual(2);
  grid.element().scrollTop = 28;
  await expect.element(row('Plan 14')).toBeInTheDocument();
  expect(drawn).toBeLessThanOrEqual(6);
});

test('heads sort, and say how', async () => {
  const asked: string[] = [];
  const sorting: Sorting = { column: 'id', descending: true };
  await show(<List sorting={sorting} onSort={(id) => asked.push(id)} />);
  const head = (name: string) => grid.getByRole('columnheader', { name });
  await expect.element(head('Id')).toHaveAttribute('aria-sort', 'descending');
  await expect.element(head('Title')).toHaveAttribute('aria-sort', 'none');
  await userEvent.click(head('Title').getByRole('button'));
  await userEvent.keyboard('{ArrowRight}{Enter}');
  expect(asked).toEqual(['title', 'id']);
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(row('Plan 0 p0')).toHaveFocus();
});

test('a list without an order to choose has no buttons in its head', async () => {
  await show(<List />);
  await expect.element(grid.getByRole('columnheader', { name: 'Title' })).toBeVisible();
  expect(grid.getByRole('button').elements()).toEqual([]);
});

test('the edge of a head, and Shift with an arrow, ask for a width; the rows take it', async () => {
  const asked: (readonly [string, number | undefined])[] = [];
  const screen = await show(
    <List widths={{ id: 100 }} onSort={() => undefined} onResize={(id, width) => asked.push([id, width])} />,
  );
  const head = grid.getByRole('columnheader', { name: 'Id' });
  await userEvent.click(head.getByRole('button'));
  await userEvent.keyboard('{Shift>}{ArrowRight}{ArrowLeft}{/Shift}');
  const edge = head.element().lastElementChild ?? head.element();
  const from = edge.getBoundingClientRect().left;
  const pointer = (type: string, clientX: number) =>
    edge.dispatchEvent(new PointerEvent(type, { bubbles: true, button: 0, pointerId: 1, clientX }));
  edge.setPointerCapture = () => undefined;
  pointer('pointerdown', from);
  pointer('pointermove', from + 50);
  pointer('pointerup', from + 50);
  pointer('pointermove', from + 90);
  await userEvent.dblClick(page.elementLocator(edge));
  expect(asked).toEqual([
    ['id', 116],
    ['id', 84],
    ['id', 150],
    ['id', undefined],
  ]);
  await screen.rerender(<List widths={{ id: 150 }} onResize={() => undefined} />);
  const cell = row('Plan 0 p0').getByRole('gridcell').last();
  await expect.poll(() => cell.element().getBoundingClientRect().width).toBe(150);
});

test('a column is shown where there is room for it', async () => {
  const screen = await show(<List />);
  await expect.element(grid.getByRole('columnheader', { name: 'Id' })).toBeVisible();
  expect(grid.getByRole('columnheader', { name: 'Note' }).elements()).toEqual([]);
  await screen.rerender(<List width={700} />);
  await expect.element(grid.getByRole('columnheader', { name: 'Note' })).toBeVisible();
  await expect.element(grid).toHaveAttribute('aria-colcount', '3');
});

test('a cell has its tooltip when the pointer comes to it', async () => {
  await show(<List />);
  const cell = row('Plan 2 p2').getByRole('gridcell').first();
  await userEvent.hover(cell);
  await expect.element(cell).toHaveAttribute('title', 'CarePlan/p2');
});

test('a menu is asked for at the row, by pointer and by keys', async () => {
  const places: { readonly y: number }[] = [];
  await show(<List onMenu={(place) => places.push(place)} />);
  await userEvent.click(row('Plan 2 p2'), { button: 'right' });
  await userEvent.keyboard('{ArrowDown}{Shift>}{F10}{/Shift}');
  const { top, bottom } = row('Plan 3 p3').element().getBoundingClientRect();
  expect(places).toHaveLength(2);
  expect(places[0]?.y).toBeLessThan(top);
  expect(places[1]?.y).toBe(bottom);
});

test('the end of what is loaded asks for more, where there is more', async () => {
  let asked = 0;
  const onEnd = () => (asked += 1);
  const screen = await show(<List rows={plans(200)} total={200} onEnd={onEnd} />);
  grid.element().scrollTop = 1e6;
  await expect.element(row('Plan 199 p199')).toBeVisible();
  expect(asked).toBe(0);
  await screen.rerender(<List rows={plans(200)} total={300} onEnd={onEnd} />);
  await expect.poll(() => asked).toBeGreaterThan(0);
});
