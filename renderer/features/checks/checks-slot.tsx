import { Button } from '@mantine/core';
import { IconChecklist } from '@tabler/icons-react';
import { useState } from 'react';
import { useChecks } from '../../platform/checks.ts';
import { useConnection } from '../../platform/connection.ts';
import { lazyDialog } from '../../ui/lazy-component.tsx';
import { text } from '../../ui/text.ts';
import styles from './checks.module.css';

const ChecksSheet = lazyDialog(async () => (await import('./checks-sheet.tsx')).ChecksSheet);

/** Number of custom checks, with a button that opens them. Renders nothing for other servers. */
export function LazyChecks() {
  const { remote } = useConnection();
  return remote ? null : <LocalChecks />;
}

function LocalChecks() {
  const [isOpen, setOpen] = useState(false);
  const { data = [] } = useChecks();
  const activeCount = data.filter(({ active }) => active).length;
  return (
    <div className={styles.slot}>
      <Button
        variant="subtle"
        size="compact-sm"
        leftSection={<IconChecklist size={16} aria-hidden />}
        onClick={() => setOpen(true)}
      >
        {text.checks.open}
      </Button>
      <span className={styles.dim}>{text.checks.howMany(activeCount, data.length)}</span>
      {isOpen && <ChecksSheet onClose={() => setOpen(false)} />}
    </div>
  );
}
