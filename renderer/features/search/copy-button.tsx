import { ActionIcon } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import { useEffect, useState, type RefObject } from 'react';
import { text } from '../../ui/text.ts';
import styles from './search.module.css';
import { useCopy } from '../../ui/use-copy.ts';

interface Pointed {
  readonly value: string;
  readonly left: number;
  readonly top: number;
}

const size = 20;

/** Milliseconds that the pointer stays on an id before the button comes: a click or two on the row are the row's own. */
const resting = 300;

/** One button for all ids of a grid, at the end of the one under the pointer: a button in each cell would cost every row. */
export function CopyButton({ within }: { readonly within: RefObject<HTMLElement | null> }) {
  const [pointed, setPointed] = useState<Pointed>();
  const copy = useCopy();
  useEffect(() => {
    const grid = within.current;
    if (!grid) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const hide = () => {
      clearTimeout(timer);
      setPointed(undefined);
    };
    function onOver({ target }: MouseEvent) {
      const id = target instanceof Element ? target.closest<HTMLElement>('[data-copy]') : null;
      hide();
      if (!id) return;
      timer = setTimeout(() => {
        const { right, top, height } = id.getBoundingClientRect();
        setPointed({ value: id.dataset.copy ?? '', left: right - size, top: top + (height - size) / 2 });
      }, resting);
    }
    // Onto the button itself, which lies over the id, the pointer does not leave the grid.
    const onLeave = ({ relatedTarget }: MouseEvent) => {
      if (!(relatedTarget instanceof Element && relatedTarget.closest('[data-copies]'))) hide();
    };
    const listening = new AbortController();
    const { signal } = listening;
    grid.addEventListener('mouseover', onOver, { signal });
    grid.addEventListener('mouseleave', onLeave, { signal });
    grid.addEventListener('scroll', hide, { signal, passive: true });
    return () => {
      clearTimeout(timer);
      listening.abort();
    };
  }, [within]);

  if (!pointed) return null;
  const { value, left, top } = pointed;
  return (
    <ActionIcon
      size={size}
      data-copies
      className={styles.copy ?? ''}
      style={{ left, top }}
      aria-label={text.results.copy}
      title={`${text.results.copy} ${value}`}
      // Keys copy with Ctrl+C.
      tabIndex={-1}
      onMouseLeave={() => setPointed(undefined)}
      onClick={() => copy(value, text.results.copied(value))}
    >
      <IconCopy size={13} aria-hidden />
    </ActionIcon>
  );
}
