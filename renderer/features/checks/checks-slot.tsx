import { Button } from '@mantine/core';
import { IconChecklist } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { useChecks } from '../../platform/checks.ts';
import { useConnection } from '../../platform/connection.ts';
import { text } from '../../ui/text.ts';
import styles from './checks.module.css';

const ChecksSheet = lazy(async () => ({ default: (await import('./checks-sheet.tsx')).ChecksSheet }));

/** How many checks of one's own there are, and the way to them. Of another server there is none. */
export function ChecksSlot() {
  const { remote } = useConnection();
  return remote ? null : <LocalChecks />;
}

function LocalChecks() {
  const [opened, open] = useState(false);
  const { data = [] } = useChecks();
  const on = data.filter(({ active }) => active).length;
  return (
    <div className={styles.slot}>
      <Button
        variant="subtle"
        size="compact-sm"
        leftSection={<IconChecklist size={16} aria-hidden />}
        onClick={() => open(true)}
      >
        {text.checks.open}
      </Button>
      <span className={styles.dim}>{text.checks.howMany(on, data.length)}</span>
      {opened && (
        <Suspense>
          <ChecksSheet onClose={() => open(false)} />
        </Suspense>
      )}
    </div>
  );
}
