import { useState, type KeyboardEvent, type PointerEvent } from 'react';
import styles from './ui.module.css';

interface SplitterProps {
  readonly label: string;
  /** Size of the part after the splitter, in whole CSS pixels or in percent of both parts. */
  readonly value: number;
  readonly bounds: { readonly min: number; readonly defaultValue: number; readonly max: number };
  readonly unit: 'px' | '%';
  /** Step of an arrow key. */
  readonly step: number;
  /** Called during a drag. */
  readonly onMove: (value: number) => void;
  /** Called with the final value. */
  readonly onRest: (value: number) => void;
}

/**
 * Splitter between two parts side by side. It is moved by dragging or by arrow keys; a double click resets
 * it.
 */
export function Splitter({ label, value, bounds, unit, step, onMove, onRest }: SplitterProps) {
  const { min, defaultValue, max } = bounds;
  /** Start of the drag, and the number of pixels per unit. */
  const [dragStart, setDragStart] = useState<{
    readonly x: number;
    readonly value: number;
    readonly pixels: number;
  }>();
  const clamp = (target: number) => Math.round(Math.min(max, Math.max(min, target)));

  function onPointerDown({ currentTarget, pointerId, clientX }: PointerEvent<HTMLDivElement>) {
    currentTarget.setPointerCapture(pointerId);
    setDragStart({ x: clientX, value, pixels: unit === 'px' ? 1 : getTotalWidth(currentTarget) / 100 });
  }
  function onPointerMove({ clientX }: PointerEvent<HTMLDivElement>) {
    if (dragStart && dragStart.pixels > 0)
      onMove(clamp(dragStart.value + (dragStart.x - clientX) / dragStart.pixels));
  }
  function onPointerUp() {
    if (dragStart) onRest(value);
    setDragStart(undefined);
  }
  function onKeyDown(event: KeyboardEvent<HTMLDivElement>) {
    const next = { ArrowLeft: value + step, ArrowRight: value - step, Home: max, End: min }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    onRest(clamp(next));
  }

  return (
    <div
      className={styles.splitter}
      role="separator"
      aria-orientation="vertical"
      aria-label={label}
      aria-valuenow={value}
      aria-valuemin={min}
      aria-valuemax={max}
      tabIndex={0}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onDoubleClick={() => onRest(defaultValue)}
      onKeyDown={onKeyDown}
    />
  );
}

function getTotalWidth({ previousElementSibling: previous, nextElementSibling: next }: Element): number {
  if (!previous || !next) return 0;
  return next.getBoundingClientRect().right - previous.getBoundingClientRect().left;
}
