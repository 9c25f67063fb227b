import { Button, Progress } from '@mantine/core';
import { IconFileSearch } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { DamageList, DamagedVersion, ScrubState } from '../../../core/app/damage.ts';
import { Answered } from '../../ui/answered.tsx';
import { RequestFailure } from '../../ui/failure-message.tsx';
import { useReturn } from '../../ui/front.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { useAnnounce } from '../../ui/status-store.ts';
import { text } from '../../ui/text.ts';
import { ToneDot } from '../../ui/tone-dot.tsx';
import frame from '../../ui/view.module.css';
import { DamageTable } from './damage-table.tsx';
import styles from './damage.module.css';
import { MendSheet } from './mend-sheet.tsx';
import { useCheck, useDamage } from './use-damage.ts';

const words = text.damage;

/** The Damage part of Trust: texts that are not as they were written, when that was looked at last, and mending. */
export function DamageView({ front }: { readonly front: boolean }) {
  const query = useDamage();
  useReturn(front, () => {
    if (query.isSuccess) void query.refetch();
  });
  return (
    <Answered query={query} failed={words.failed} offer={words.offer}>
      {(damage) => <Found damage={damage} />}
    </Answered>
  );
}

function Found({ damage: { scrub, records } }: { readonly damage: DamageList }) {
  const announce = useAnnounce();
  const [mending, setMending] = useState<DamagedVersion>();
  const { ended, read, found, running } = scrub;
  // When the check before the one that was asked for here had ended.
  const before = useRef<string | null>(undefined);
  const check = useCheck(() => {
    announce(words.begun);
    before.current = ended;
  });
  const said = useEffectEvent(() => announce(words.result(read, found)));
  useEffect(() => {
    if (before.current === undefined || running || ended === before.current) return;
    before.current = undefined;
    said();
  }, [ended, running]);
  return (
    <div className={frame.view}>
      <div className={`${frame.spread} ${styles.head}`}>
        <ScrubFacts scrub={scrub} />
        <Button
          variant="filled"
          leftSection={<IconFileSearch size={14} aria-hidden />}
          loading={check.isPending}
          disabled={Boolean(scrub.running)}
          onClick={() => check.mutate()}
        >
          {words.check}
        </Button>
      </div>
      <div className={frame.panel}>
        <RequestFailure padded title={words.notChecked} of={check} />
        {records.length === 0 ? (
          <div className={frame.notOffered}>
            <h2>{words.empty}</h2>
            <p>{words.emptyDetail}</p>
          </div>
        ) : (
          <>
            <p className={styles.lead}>{words.lead}</p>
            <DamageTable records={records} onMend={setMending} />
          </>
        )}
      </div>
      {mending && <MendSheet record={mending} onClose={() => setMending(undefined)} />}
    </div>
  );
}

/** When all texts were read last and what that found, or how far the reading is. */
function ScrubFacts({ scrub: { ended, read, found, running } }: { readonly scrub: ScrubState }) {
  if (running) {
    const { done, total } = running;
    return (
      <div className={styles.running}>
        <p>{words.running(done, total)}</p>
        <Progress value={total === 0 ? 0 : (done / total) * 100} aria-label={words.progress} size="sm" />
      </div>
    );
  }
  if (ended === null) return <p className="dim">{words.never}</p>;
  return (
    <p className={styles.facts}>
      <span className="dim">
        {words.last} <RelativeTime instant={ended} />
      </span>
      <ToneDot tone={found === 0 ? 'good' : 'danger'} label={words.result(read, found)} />
    </p>
  );
}
