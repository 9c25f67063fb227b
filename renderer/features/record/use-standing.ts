import { useEffect, useEffectEvent } from 'react';
import { useConnection } from '../../platform/connection.ts';
import { useHeard } from '../../platform/live.ts';
import type { RecordIo, RecordTarget } from './use-record-io.ts';

/** Milliseconds between two looks at a record of another server, which tells nothing by itself. */
const pace = 30_000;

/** Asks what the server holds behind the record in front: once a newer version was heard of, of another server now and then. */
export function useStanding(front: boolean, target: RecordTarget, io: RecordIo): void {
  const { state } = target;
  const { remote } = useConnection();
  const heard = useHeard(state.type, state.id)?.version;
  const looks = ['clean', 'saved', 'dirty', 'invalid'].includes(state.phase.name) && state.base !== undefined;
  const newer = front && looks && (heard ?? 0) > (state.base.version ?? Infinity);
  const look = useEffectEvent(() => {
    if (looks && !document.hidden) void io.look(target);
  });
  useEffect(() => {
    if (newer) look();
  }, [newer, heard]);
  const polled = front && remote !== undefined;
  useEffect(() => {
    if (!polled) return undefined;
    const timer = setInterval(() => look(), pace);
    return () => clearInterval(timer);
  }, [polled]);
}
