import { Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './sheet.module.css';

interface SheetProps {
  readonly title: string;
  readonly closeLabel: string;
  /** True while it can't be closed. */
  readonly busy?: boolean;
  /** True if Escape closes it while it is not busy. True by default. */
  readonly closeOnEscape?: boolean;
  /** True if a click outside closes it, because nothing would be lost. */
  readonly closeOnClickOutside?: boolean;
  /** True if its height fits the content. By default it is as high as the window. */
  readonly fits?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Dialog over nearly the whole window, with its parts one below the other. */
export function Sheet(props: SheetProps) {
  const { busy = false, closeOnEscape = true, closeOnClickOutside = false, fits = false } = props;
  return (
    <Modal
      opened
      onClose={props.onClose}
      closeOnClickOutside={closeOnClickOutside}
      closeOnEscape={closeOnEscape && !busy}
      title={props.title}
      size="calc(100vw - 64px)"
      yOffset={24}
      classNames={{
        content: `${styles.sheet ?? ''} ${fits ? (styles.fits ?? '') : ''}`,
        header: styles.head ?? '',
        body: styles.body ?? '',
      }}
      closeButtonProps={{ 'aria-label': props.closeLabel, disabled: busy }}
    >
      {props.children}
    </Modal>
  );
}
