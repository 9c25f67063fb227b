import { useState } from 'react';
import type { NamedRecord } from '../../core/app/session.ts';
import { useConnection } from '../platform/connection.ts';
import { toFailure } from '../ui/failure.ts';
import { text } from '../ui/text.ts';
import { findRecords, type MeantRecord } from './find-record.ts';

/** Where the search for an id stands. */
interface Finding {
  /** What came of it, in words, where nothing was opened. */
  readonly message: string;
  /** Records of several types that bear the id. */
  readonly choices: readonly NamedRecord[];
}

const idle: Finding = { message: '', choices: [] };

/** Finds a record by its id and hands it on; where several types have one, offers them. */
export function useFindRecord(onFound: (record: NamedRecord) => void) {
  const { client } = useConnection();
  const [finding, setFinding] = useState(idle);

  async function find(meant: MeantRecord) {
    setFinding({ ...idle, message: text.launcher.finding(meant.id) });
    try {
      const choices = await findRecords(client, meant);
      const [only] = choices;
      if (only && choices.length === 1) {
        setFinding(idle);
        onFound(only);
      } else {
        const message = only
          ? text.launcher.several(choices.length, meant.id)
          : text.launcher.notFound(meant.types, meant.id);
        setFinding({ message, choices });
      }
    } catch (error) {
      setFinding({ ...idle, message: toFailure(error).sentences.join(' ') });
    }
  }

  return { finding, find, forget: () => setFinding(idle) };
}
