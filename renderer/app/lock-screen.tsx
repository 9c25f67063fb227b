import { Button } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { desktop } from '../platform/desktop.ts';
import { rememberFocus } from '../ui/focus.ts';
import { createStore, useStore } from '../ui/store.ts';
import { text } from '../ui/text.ts';
import frame from '../ui/view.module.css';
import styles from './lock-screen.module.css';

/** True while the desktop shell locks the window. A browser has no lock. */
const lock = createStore(false);

desktop?.onLock((isLocked) => {
  // Synchronously, before the next paint: the style sheet hides everything except the lock screen.
  document.documentElement.toggleAttribute('data-locked', isLocked);
  lock.set(isLocked);
});

/** Covers the page while the shell locks the window. The page stays mounted. */
export function LockScreen() {
  return useStore(lock) && createPortal(<LockCard />, document.body);
}

function LockCard() {
  // Read before this screen takes the focus.
  const [restoreFocus] = useState(rememberFocus);
  useEffect(() => restoreFocus, [restoreFocus]);
  return (
    <div className={styles.face} data-lock role="dialog" aria-modal aria-labelledby="lock-title">
      <div className={frame.card}>
        <h1 id="lock-title">
          <IconLock size={18} aria-hidden /> {text.lock.title}
        </h1>
        <p>{text.lock.what}</p>
        <Button variant="filled" autoFocus onClick={() => desktop?.unlock()}>
          {text.lock.unlock}
        </Button>
      </div>
    </div>
  );
}
