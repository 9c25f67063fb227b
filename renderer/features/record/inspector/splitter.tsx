import { useState, type KeyboardEvent, type PointerEvent } from 'react';
import { text } from '../../../ui/text.ts';
import { inspectorWidth, withinBounds } from '../inspector-width.ts';
import styles from './inspector.module.css';

const step = 16;

interface SplitterProps {
  readonly width: number;
  /** Called while the edge moves. */
  readonly onMove: (width: number) => void;
  /** Called once it rests. */
  readonly onRest: (width: number) => void;
}

/** The edge between editor and inspector: dragged, or moved with the arrow keys. */
export function Splitter({ width, onMove, onRest }: SplitterProps) {
  const [grip, setGrip] = useState<number>();

  function onPointerDown(event: PointerEvent<HTMLDivElement>) {
    event.currentTarget.setPointerCapture(event.pointerId);
    setGrip(event.clientX + width);
  }
  function onPointerMove(event: PointerEvent<HTMLDivElement>) {
    if (grip !== undefined) onMove(withinBounds(grip - event.clientX));
  }
  function onPointerUp() {
    if (grip !== undefined) onRest(width);
    setGrip(undefined);
  }
  function onKeyDown(event: KeyboardEvent<HTMLDivElement>) {
    const wider = { ArrowLeft: step, ArrowRight: -step }[event.key];
    if (wider === undefined) return;
    event.preventDefault();
    onRest(withinBounds(width + wider));
  }

  return (
    <div
      className={styles.splitter}
      role="separator"
      aria-orientation="vertical"
      aria-label={text.inspector.resize}
      aria-valuenow={width}
      aria-valuemin={inspectorWidth.least}
      aria-valuemax={inspectorWidth.most}
      tabIndex={0}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onDoubleClick={() => onRest(inspectorWidth.usual)}
      onKeyDown={onKeyDown}
    />
  );
}
