import { useEffect, useEffectEvent } from 'react';
import { isConnectionList, type ConnectionSummary } from '../../core/app/connections.ts';
import type { OpenedFile, OpenRequest } from '../../core/app/shell.ts';
import type { NamedRecord } from '../../core/app/session.ts';
import type { RecordLink } from '../../core/app/record-link.ts';
import { resourceTypes } from '../../core/fhir/resource.ts';
import { offerFiles } from '../features/data/offer-files.ts';
import { localConnection, useConnection, useSwitchConnection } from '../platform/connection.ts';
import { desktop } from '../platform/desktop.ts';
import { toFailure } from '../ui/failure.ts';
import { useAnnounce } from '../ui/status-store.ts';
import { text } from '../ui/text.ts';
import { findRecords } from './find-record.ts';

/** The link that another server's workbench is to open. */
let waiting: RecordLink | undefined;

async function connectionNamed(name: string): Promise<ConnectionSummary | undefined> {
  try {
    const list = await localConnection.client.app('GET', '/connections');
    return isConnectionList(list) ? list.connections.find((one) => one.name === name) : undefined;
  } catch {
    return undefined;
  }
}

interface OpenParts {
  readonly openRecord: (record: NamedRecord) => void;
  readonly showData: () => void;
}

/** Opens what the desktop shell was asked for: files to import, and records by a link's connection and id. */
export function useOpenRequests({ openRecord, showData }: OpenParts): void {
  const { client, name } = useConnection();
  const turn = useSwitchConnection();
  const announce = useAnnounce();
  useEffect(() => desktop?.setConnection(name), [name]);

  async function openLink({ connection, id, type }: RecordLink) {
    if (connection !== name) {
      // The workbench of the other server is another one; it takes the link up when it stands.
      waiting = { connection, id, ...(type !== undefined && { type }) };
      if (!(await turnTo(connection))) waiting = undefined;
      return;
    }
    const types = type === undefined ? resourceTypes : [type];
    try {
      const found = await findRecords(client, { id, types });
      if (found.length === 0) announce(text.launcher.notFound(types, id));
      for (const record of found) openRecord(record);
    } catch (error) {
      announce(toFailure(error).sentences.join(' '));
    }
  }

  /** Turns to a connection by its name; false where there is none. */
  async function turnTo(wanted: string): Promise<boolean> {
    const found = wanted === localConnection.name ? undefined : await connectionNamed(wanted);
    if (wanted === localConnection.name || found) return turn(found);
    announce(text.desktop.otherConnection(wanted));
    return false;
  }

  function takeFiles(files: readonly OpenedFile[]) {
    const words = offerFiles(files.map((one) => ({ name: one.name, file: new File([one.bytes], one.name) })));
    announce(words ?? text.data.import.busy);
    showData();
  }

  const take = useEffectEvent((request: OpenRequest) => {
    switch (request.kind) {
      case 'record':
        void openLink(request.link);
        break;
      case 'connection':
        if (request.name !== name) void turnTo(request.name);
        break;
      case 'files':
        takeFiles(request.files);
        break;
    }
  });
  const takeUp = useEffectEvent((link: RecordLink) => void openLink(link));
  useEffect(() => {
    const link = waiting;
    waiting = undefined;
    if (link) takeUp(link);
  }, []);
  useEffect(() => {
    const stop = desktop?.onOpen((request) => take(request));
    desktop?.ready();
    return stop;
  }, []);
}
