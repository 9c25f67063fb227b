import { Button, Progress } from '@mantine/core';
import { IconFileSearch } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { DamageList, DamagedVersion, ScrubState } from '../../../core/app/damage.ts';
import { QueryContent } from '../../ui/query-state.tsx';
import { RequestFailure } from '../../ui/failure-message.tsx';
import { useReturn } from '../../ui/active-context.ts';
import { MessageNodes } from '../../ui/message-nodes.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { useAnnounce } from '../../ui/status-store.ts';
import { text } from '../../ui/text.ts';
import { ToneDot } from '../../ui/tone-dot.tsx';
import frame from '../../ui/view.module.css';
import { DamageTable } from './damage-table.tsx';
import styles from './damage.module.css';
import { RepairSheet } from './repair-sheet.tsx';
import { useCheck, useDamage } from './use-damage.ts';

const messages = text.damage;

/** Damage part of Trust: damaged texts, the last check, and repair. */
export function DamageView({ isActive }: { readonly isActive: boolean }) {
  const query = useDamage();
  useReturn(isActive, () => {
    if (query.isSuccess) void query.refetch();
  });
  return (
    <QueryContent query={query} failureTitle={messages.failed} featureName={messages.offer}>
      {(damage) => <DamagePanel damage={damage} />}
    </QueryContent>
  );
}

function DamagePanel({ damage: { scrub, records } }: { readonly damage: DamageList }) {
  const announce = useAnnounce();
  const [versionToRepair, setVersionToRepair] = useState<DamagedVersion>();
  const { ended: endedTime, read: readCount, found: damageCount, running } = scrub;
  // End of the check that preceded the check started here.
  const previousEnd = useRef<string | null>(undefined);
  const check = useCheck(() => {
    announce(messages.begun);
    previousEnd.current = endedTime;
  });
  const announceResult = useEffectEvent(() => announce(messages.result(readCount, damageCount)));
  useEffect(() => {
    if (previousEnd.current === undefined || running || endedTime === previousEnd.current) return;
    previousEnd.current = undefined;
    announceResult();
  }, [endedTime, running]);
  return (
    <div className={frame.view}>
      <div className={`${frame.spread} ${styles.head}`}>
        <ScrubStatus scrub={scrub} />
        <Button
          variant="filled"
          leftSection={<IconFileSearch size={14} aria-hidden />}
          loading={check.isPending}
          disabled={Boolean(scrub.running)}
          onClick={() => check.mutate()}
        >
          {messages.check}
        </Button>
      </div>
      <div className={frame.panel}>
        <RequestFailure hasPadding title={messages.notChecked} query={check} />
        {records.length === 0 ? (
          <div className={frame.notOffered}>
            <h2>{messages.empty}</h2>
            <p>{messages.emptyDetail}</p>
          </div>
        ) : (
          <>
            <p className={styles.lead}>{messages.lead}</p>
            <DamageTable records={records} onMend={setVersionToRepair} />
          </>
        )}
      </div>
      {versionToRepair && (
        <RepairSheet record={versionToRepair} onClose={() => setVersionToRepair(undefined)} />
      )}
    </div>
  );
}

/** Result of the last check, or the progress of the running one. */
function ScrubStatus({
  scrub: { ended: endedTime, read: readCount, found: damageCount, running },
}: {
  readonly scrub: ScrubState;
}) {
  if (running) {
    const { done, total } = running;
    return (
      <div className={styles.running}>
        <p>{messages.running(done, total)}</p>
        <Progress value={total === 0 ? 0 : (done / total) * 100} aria-label={messages.progress} size="sm" />
      </div>
    );
  }
  if (endedTime === null) return <p className="dim">{messages.never}</p>;
  return (
    <p className={styles.facts}>
      <span className="dim">
        <MessageNodes message={messages.last} nodes={{ time: <RelativeTime instant={endedTime} /> }} />
      </span>
      <ToneDot tone={damageCount === 0 ? 'good' : 'danger'} label={messages.result(readCount, damageCount)} />
    </p>
  );
}
