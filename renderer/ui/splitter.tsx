import { useState, type KeyboardEvent, type PointerEvent } from 'react';
import styles from './ui.module.css';

interface SplitterProps {
  readonly label: string;
  /** What stands behind the edge is so large: in whole CSS pixels, or per cent of both parts. */
  readonly value: number;
  readonly bounds: { readonly least: number; readonly usual: number; readonly most: number };
  readonly unit: 'px' | '%';
  /** By how much an arrow key moves it. */
  readonly step: number;
  /** Called while the edge moves. */
  readonly onMove: (value: number) => void;
  /** Called once it rests. */
  readonly onRest: (value: number) => void;
}

/** The edge between two parts side by side: dragged, or moved by arrow keys; a double click puts it back. */
export function Splitter({ label, value, bounds, unit, step, onMove, onRest }: SplitterProps) {
  const { least, usual, most } = bounds;
  /** Where it was taken, and how many pixels a unit has. */
  const [grip, setGrip] = useState<{ readonly x: number; readonly value: number; readonly pixels: number }>();
  const within = (wanted: number) => Math.round(Math.min(most, Math.max(least, wanted)));

  function onPointerDown({ currentTarget, pointerId, clientX }: PointerEvent<HTMLDivElement>) {
    currentTarget.setPointerCapture(pointerId);
    setGrip({ x: clientX, value, pixels: unit === 'px' ? 1 : widthOfBoth(currentTarget) / 100 });
  }
  function onPointerMove({ clientX }: PointerEvent<HTMLDivElement>) {
    if (grip && grip.pixels > 0) onMove(within(grip.value + (grip.x - clientX) / grip.pixels));
  }
  function onPointerUp() {
    if (grip) onRest(value);
    setGrip(undefined);
  }
  function onKeyDown(event: KeyboardEvent<HTMLDivElement>) {
    const next = { ArrowLeft: value + step, ArrowRight: value - step, Home: most, End: least }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    onRest(within(next));
  }

  return (
    <div
      className={styles.splitter}
      role="separator"
      aria-orientation="vertical"
      aria-label={label}
      aria-valuenow={value}
      aria-valuemin={least}
      aria-valuemax={most}
      tabIndex={0}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onDoubleClick={() => onRest(usual)}
      onKeyDown={onKeyDown}
    />
  );
}

function widthOfBoth({ previousElementSibling: before, nextElementSibling: behind }: Element): number {
  if (!before || !behind) return 0;
  return behind.getBoundingClientRect().right - before.getBoundingClientRect().left;
}
