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

/** Handles open requests of the desktop shell: files to import, a connection, or a record. */
export function useOpenRequests({ openRecord, openView }: WorkbenchActions): void {
  const { client, name } = useConnection();
  const switchConnection = useSwitchConnection();
  const announce = useAnnounce();
  useEffect(() => desktop?.setConnection(name), [name]);

  /** Switches to a connection by name. A request for that connection waits for its workbench. */
  async function switchTo(connectionName: string, nextRequest?: OpenRequest) {
    const connection = await findConnection(connectionName);
    if (connection === undefined) {
      announce(text.desktop.unknownConnection(connectionName));
      return;
    }
    const withdraw = nextRequest && openRequests.keepFor(connectionName, nextRequest);
    if (!(await switchConnection(connection === 'local' ? undefined : connection))) withdraw?.();
  }

  async function openRecords({ id, type }: RecordLink) {
    const types = type === undefined ? resourceTypes : [type];
    const matches = await findRecords(client, { id, types });
    if (matches.length === 0) announce(text.launcher.notFound(types, id));
    for (const record of matches) openRecord(record);
  }

  function openFiles(files: readonly OpenedFile[]) {
    const message = offerFiles(
      files.map((openedFile) => ({
        name: openedFile.name,
        file: new File([openedFile.bytes], openedFile.name),
      })),
    );
    openView('data');
    announce(message ?? text.data.import.busy);
  }

  async function handleRequest(request: OpenRequest): Promise<void> {
    switch (request.kind) {
      case 'record':
        if (request.link.connection === name) await openRecords(request.link);
        else await switchTo(request.link.connection, request);
        break;
      case 'connection':
        if (request.name !== name) await switchTo(request.name);
        break;
      case 'files':
        openFiles(request.files);
        break;
    }
  }

  const handleRequests = useEffectEvent(() => {
    for (const request of openRequests.consume(name)) {
      handleRequest(request).catch((error: unknown) => announce(toFailure(error).sentences.join(' ')));
    }
  });
  useEffect(() => {
    desktop?.ready();
    handleRequests();
    return openRequests.subscribe(() => handleRequests());
  }, []);
}
