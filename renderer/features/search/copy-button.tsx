import { ActionIcon } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import { useEffect, useState, type RefObject } from 'react';
import { text } from '../../ui/text.ts';
import styles from './search.module.css';
import { useCopy } from '../../ui/use-copy.ts';

interface PointedId {
  readonly value: string;
  readonly left: number;
  readonly top: number;
}

const size = 20;

/** Delay in milliseconds before the button appears, so that clicks reach the row. */
const hoverDelayMs = 300;

/**
 * One button for all IDs of a grid, placed at the end of the ID under the pointer. A button in each cell would slow
 * down every row.
 */
export function CopyButton({ gridRef }: { readonly gridRef: RefObject<HTMLElement | null> }) {
  const [pointedId, setPointedId] = useState<PointedId>();
  const copy = useCopy();
  useEffect(() => {
    const grid = gridRef.current;
    if (!grid) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const hide = () => {
      clearTimeout(timer);
      setPointedId(undefined);
    };
    function onOver({ target }: MouseEvent) {
      const idElement = target instanceof Element ? target.closest<HTMLElement>('[data-copy]') : null;
      hide();
      if (!idElement) return;
      timer = setTimeout(() => {
        const { right, top, height } = idElement.getBoundingClientRect();
        setPointedId({
          value: idElement.dataset.copy ?? '',
          left: right - size,
          top: top + (height - size) / 2,
        });
      }, hoverDelayMs);
    }
    // Moving onto the button, which overlays the ID, does not leave the grid.
    const onLeave = ({ relatedTarget }: MouseEvent) => {
      if (!(relatedTarget instanceof Element && relatedTarget.closest('[data-copies]'))) hide();
    };
    const controller = new AbortController();
    const { signal } = controller;
    grid.addEventListener('mouseover', onOver, { signal });
    grid.addEventListener('mouseleave', onLeave, { signal });
    grid.addEventListener('scroll', hide, { signal, passive: true });
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [gridRef]);

  if (!pointedId) return null;
  const { value, left: x, top: y } = pointedId;
  return (
    <ActionIcon
      size={size}
      data-copies
      className={styles.copy ?? ''}
      style={{ left: x, top: y }}
      aria-label={text.results.copy}
      title={text.results.copyValue(value)}
      // Keys copy with Ctrl+C.
      tabIndex={-1}
      onMouseLeave={() => setPointedId(undefined)}
      onClick={() => copy(value, text.results.copied(value))}
    >
      <IconCopy size={13} aria-hidden />
    </ActionIcon>
  );
}
