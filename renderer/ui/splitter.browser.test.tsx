import { useState } from 'react';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { show } from '../testing/show.tsx';
import { Splitter } from './splitter.tsx';

/** Two parts of 500 pixels together, with the edge between them. */
function Parts({ unit, value }: { readonly unit: 'px' | '%'; readonly value: number }) {
  const [now, setNow] = useState(value);
  const [rest, setRest] = useState(value);
  const bounds = unit === 'px' ? { least: 100, usual: 250, most: 300 } : { least: 20, usual: 50, most: 80 };
  return (
    <>
      <div style={{ display: 'flex', width: 500, height: 100 }}>
        <div style={{ flex: 1 }} />
        <Splitter
          label="Width"
          value={now}
          {...{ bounds, unit }}
          step={unit === 'px' ? 60 : 10}
          onMove={setNow}
          onRest={(width) => {
            setNow(width);
            setRest(width);
          }}
        />
        <div style={{ width: unit === 'px' ? now : `${now}%` }} />
      </div>
      <output>{rest}</output>
    </>
  );
}

const edge = page.getByRole('separator', { name: 'Width' });
const rested = () => page.getByRole('status').element().textContent;

/** Drags the edge by so many pixels; where it rests. */
async function drag(by: number): Promise<string | null> {
  const element = edge.element() as HTMLElement;
  const { left } = element.getBoundingClientRect();
  // No pointer of the browser's has this id, which could be captured.
  element.setPointerCapture = () => undefined;
  const press = async (type: string, clientX: number) => {
    element.dispatchEvent(new PointerEvent(type, { bubbles: true, pointerId: 77, clientX }));
    await new Promise(requestAnimationFrame);
  };
  const at = () => element.getAttribute('aria-valuenow');
  const before = rested();
  await press('pointerdown', left);
  await press('pointermove', left + by);
  await expect.poll(at).not.toBe(before);
  const moved = at();
  expect(rested()).toBe(before);
  await press('pointerup', left + by);
  await expect.poll(rested).toBe(moved);
  await press('pointermove', left);
  return at();
}

test('arrows move the edge by steps and no further than its bounds, a double click puts it back', async () => {
  await show(<Parts unit="px" value={200} />);
  (edge.element() as HTMLElement).focus();
  for (const [key, width] of [
    ['ArrowLeft', '260'],
    ['ArrowLeft', '300'],
    ['ArrowRight', '240'],
    ['End', '100'],
    ['ArrowRight', '100'],
    ['Home', '300'],
  ] as const) {
    await userEvent.keyboard(`{${key}}`);
    await expect.poll(rested, { message: key }).toBe(width);
    expect(edge.element().getAttribute('aria-valuenow')).toBe(width);
  }
  await edge.dblClick();
  await expect.poll(rested).toBe('250');
});

test('the edge is dragged within its bounds, in pixels', async () => {
  await show(<Parts unit="px" value={200} />);
  expect(await drag(-40)).toBe('240');
  expect(await drag(400)).toBe('100');
  expect(await drag(-400)).toBe('300');
});

test('the edge is dragged in per cent of both parts', async () => {
  await show(<Parts unit="%" value={50} />);
  expect(await drag(-50)).toBe('60');
  expect(await drag(400)).toBe('20');
});
