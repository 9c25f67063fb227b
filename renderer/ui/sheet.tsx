import { Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './sheet.module.css';

interface SheetProps {
  readonly title: string;
  readonly closeLabel: string;
  /** It cannot be closed meanwhile. */
  readonly busy?: boolean;
  /** Whether Escape closes it while it is not busy; it does where absent. */
  readonly closeOnEscape?: boolean;
  /** Whether a click beside it closes it: where nothing that was done in it is lost. */
  readonly closeOnClickOutside?: boolean;
  /** Whether it is as high as what it holds; as high as the window where absent. */
  readonly fits?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A dialog over nearly the whole window, its parts one beneath the other. */
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
