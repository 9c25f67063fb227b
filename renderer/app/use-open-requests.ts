import { useEffect, useEffectEvent } from 'react';
import type { OpenedFile, OpenRequest } from '../../core/app/shell.ts';
import type { NamedRecord } from '../../core/app/session.ts';
import type { RecordLink } from '../../core/app/record-link.ts';
import { resourceTypes } from '../../core/fhir/resource.ts';
import { offerFiles } from '../features/data/offer-files.ts';
import { useConnection } from '../platform/connection.ts';
import { desktop } from '../platform/desktop.ts';
import { toFailure } from '../ui/failure.ts';
import { useAnnounce } from '../ui/status-store.ts';
import { text } from '../ui/text.ts';
import { findRecords } from './find-record.ts';

interface OpenParts {
  readonly openRecord: (record: NamedRecord) => void;
  readonly showData: () => void;
}

/** Opens what the desktop shell was asked for: files to import, and records by a link's connection and id. */
export function useOpenRequests({ openRecord, showData }: OpenParts): void {
  const { client, name } = useConnection();
  const announce = useAnnounce();
  useEffect(() => desktop?.setConnection(name), [name]);

  async function openLink({ connection, id, type }: RecordLink) {
    if (connection !== name) {
      announce(text.desktop.otherConnection(connection));
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
        if (request.name !== name) announce(text.desktop.otherConnection(request.name));
        break;
      case 'files':
        takeFiles(request.files);
        break;
    }
  });
  useEffect(() => {
    const stop = desktop?.onOpen((request) => take(request));
    desktop?.ready();
    return stop;
  }, []);
}
