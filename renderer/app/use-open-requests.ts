import { useEffect, useEffectEvent } from 'react';
import type { RecordLink } from '../../core/app/record-link.ts';
import type { OpenedFile, OpenRequest } from '../../core/app/shell.ts';
import { resourceTypes } from '../../core/fhir/resource.ts';
import { offerFiles } from '../features/data/import-run.ts';
import { findConnection } from '../platform/use-connections.ts';
import { useConnection, useSwitchConnection } from '../platform/connection.ts';
import { desktop } from '../platform/desktop.ts';
import { openRequests } from '../platform/open-requests.ts';
import type { WorkbenchActions } from '../platform/workbench-actions.ts';
import { toFailure } from '../ui/failure.ts';
import { useAnnounce } from '../ui/status-store.ts';
import { text } from '../ui/text.ts';
import { findRecords } from './find-record.ts';

/** Opens what the desktop shell was asked for: files to import, a connection, and records by connection and id. */
export function useOpenRequests({ openRecord, openView }: WorkbenchActions): void {
  const { client, name } = useConnection();
  const turn = useSwitchConnection();
  const announce = useAnnounce();
  useEffect(() => desktop?.setConnection(name), [name]);

  /** Turns to the connection of a name; what is still to be opened there waits for its workbench. */
  async function turnTo(wanted: string, then?: OpenRequest) {
    const found = await findConnection(wanted);
    if (found === undefined) {
      announce(text.desktop.unknownConnection(wanted));
      return;
    }
    const takeBack = then && openRequests.keepFor(wanted, then);
    if (!(await turn(found === 'local' ? undefined : found))) takeBack?.();
  }

  async function openRecords({ id, type }: RecordLink) {
    const types = type === undefined ? resourceTypes : [type];
    const found = await findRecords(client, { id, types });
    if (found.length === 0) announce(text.launcher.notFound(types, id));
    for (const record of found) openRecord(record);
  }

  function takeFiles(files: readonly OpenedFile[]) {
    const words = offerFiles(files.map((one) => ({ name: one.name, file: new File([one.bytes], one.name) })));
    openView('data');
    announce(words ?? text.data.import.busy);
  }

  async function take(request: OpenRequest): Promise<void> {
    switch (request.kind) {
      case 'record':
        if (request.link.connection === name) await openRecords(request.link);
        else await turnTo(request.link.connection, request);
        break;
      case 'connection':
        if (request.name !== name) await turnTo(request.name);
        break;
      case 'files':
        takeFiles(request.files);
        break;
    }
  }

  const takeAll = useEffectEvent(() => {
    for (const request of openRequests.consume(name)) {
      take(request).catch((error: unknown) => announce(toFailure(error).sentences.join(' ')));
    }
  });
  useEffect(() => {
    desktop?.ready();
    takeAll();
    return openRequests.subscribe(() => takeAll());
  }, []);
}
