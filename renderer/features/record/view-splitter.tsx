import { useState, type KeyboardEvent, type PointerEvent } from 'react';
import { text } from '../../ui/text.ts';
import { readingShare, shareWithin } from './reading-share.ts';
import styles from './record.module.css';

const step = 2;

interface ViewSplitterProps {
  /** Per cent of the reading view, which stands behind the JSON. */
  readonly share: number;
  /** Called while the edge moves. */
  readonly onMove: (share: number) => void;
  /** Called once it rests. */
  readonly onRest: (share: number) => void;
}

/** The edge between JSON and reading view: dragged, or moved with the arrow keys; a double click puts it back. */
export function ViewSplitter({ share, onMove, onRest }: ViewSplitterProps) {
  const [dragged, setDragged] = useState(false);

  function onPointerDown(event: PointerEvent<HTMLDivElement>) {
    event.currentTarget.setPointerCapture(event.pointerId);
    setDragged(true);
  }
  function onPointerMove({ currentTarget, clientX }: PointerEvent<HTMLDivElement>) {
    const before = currentTarget.previousElementSibling?.getBoundingClientRect();
    const behind = currentTarget.nextElementSibling?.getBoundingClientRect();
    if (!dragged || !before || !behind) return;
    onMove(shareWithin(((behind.right - clientX) / (behind.right - before.left)) * 100));
  }
  function onPointerUp() {
    if (dragged) onRest(share);
    setDragged(false);
  }
  function onKeyDown(event: KeyboardEvent<HTMLDivElement>) {
    const { least, most } = readingShare;
    const next = { ArrowLeft: share + step, ArrowRight: share - step, Home: most, End: least }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    onRest(shareWithin(next));
  }

  return (
    <div
      className={styles.viewSplitter}
      role="separator"
      aria-orientation="vertical"
      aria-label={text.recordViews.resize}
      aria-valuenow={share}
      aria-valuemin={readingShare.least}
      aria-valuemax={readingShare.most}
      tabIndex={0}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onDoubleClick={() => onRest(readingShare.usual)}
      onKeyDown={onKeyDown}
    />
  );
}
