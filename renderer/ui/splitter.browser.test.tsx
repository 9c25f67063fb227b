import { useState } from 'react';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { show } from '../testing/show.tsx';
import { Splitter } from './splitter.tsx';

/** Two parts with a total width of 500 pixels and a splitter between them. */
function SplitSample({ unit, value }: { readonly unit: 'px' | '%'; readonly value: number }) {
  const [now, setNow] = useState(value);
  const [finalValue, setFinalValue] = useState(value);
  const bounds =
    unit === 'px' ? { min: 100, defaultValue: 250, max: 300 } : { min: 20, defaultValue: 50, max: 80 };
  return (
    <>
      <div style={{ display: 'flex', width: 500, height: 100 }}>
        <div style={{ flex: 1 }} />
        <Splitter
          label="Width"
          value={now}
          bounds={bounds}
          unit={unit}
          step={unit === 'px' ? 60 : 10}
          onMove={setNow}
          onRest={(width) => {
            setNow(width);
            setFinalValue(width);
          }}
        />
        <div style={{ width: unit === 'px' ? now : `${now}%` }} />
      </div>
      <output>{finalValue}</output>
    </>
  );
}

const edge = page.getByRole('separator', { name: 'Width' });
const readFinalValue = () => page.getByRole('status').element().textContent;

/** Drags the splitter by some pixels. Returns its final value. */
async function drag(distance: number): Promise<string | null> {
  const element = edge.element() as HTMLElement;
  const { left: startX } = element.getBoundingClientRect();
  // The synthetic pointer id can't be captured.
  element.setPointerCapture = () => undefined;
  const dispatchPointer = async (type: string, clientX: number) => {
    element.dispatchEvent(new PointerEvent(type, { bubbles: true, pointerId: 77, clientX }));
    await new Promise(requestAnimationFrame);
  };
  const readValue = () => element.getAttribute('aria-valuenow');
  const finalBefore = readFinalValue();
  await dispatchPointer('pointerdown', startX);
  await dispatchPointer('pointermove', startX + distance);
  await expect.poll(readValue).not.toBe(finalBefore);
  const valueAfterMove = readValue();
  expect(readFinalValue()).toBe(finalBefore);
  await dispatchPointer('pointerup', startX + distance);
  await expect.poll(readFinalValue).toBe(valueAfterMove);
  await dispatchPointer('pointermove', startX);
  return readValue();
}

test('moves by arrow keys within its bounds and resets on a double click', async () => {
  await show(<SplitSample unit="px" value={200} />);
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
    await expect.poll(readFinalValue, { message: key }).toBe(width);
    expect(edge.element().getAttribute('aria-valuenow')).toBe(width);
  }
  await edge.dblClick();
  await expect.poll(readFinalValue).toBe('250');
});

test('is dragged within its bounds in pixels', async () => {
  await show(<SplitSample unit="px" value={200} />);
  expect(await drag(-40)).toBe('240');
  expect(await drag(400)).toBe('100');
  expect(await drag(-400)).toBe('300');
});

test('is dragged in percent of both parts', async () => {
  await show(<SplitSample unit="%" value={50} />);
  expect(await drag(-50)).toBe('60');
  expect(await drag(400)).toBe('20');
});
