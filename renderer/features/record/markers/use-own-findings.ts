import { useEffect, useState } from 'react';
import { narrow } from '../../../../core/api/narrow.ts';
import { CheckFindings, type CheckFinding } from '../../../../core/app/checks.ts';
import { useChecks } from '../../../platform/checks.ts';
import { useConnection } from '../../../platform/connection.ts';
import type { ResourceType } from '../../../../core/fhir/resource.ts';

/** A text in the editor, which is to be judged. */
export interface Question {
  readonly modelPath: string;
  readonly type: ResourceType;
  readonly text: string;
  readonly base: string | undefined;
  /** Whether the text is in sight; before, the judge would only take its time. */
  readonly inSight: boolean;
}

/** After the last key; the server's thread is asked, which others ask too. */
const debounce = 400;

/** What checks of one's own found in a text. */
interface OwnFindings {
  readonly findings: readonly CheckFinding[];
  readonly foundIn: string;
}

const none: OwnFindings = { findings: [], foundIn: '' };

/**
 * What checks of one's own find in the open record's text, asked of this machine's server, whosever the record is. Until
 * the answer comes, what they found in the text before, with that text.
 */
export function useOwnFindings({ modelPath, type, text, base, inSight }: Question): OwnFindings {
  const { client } = useConnection();
  const { data: checks = [] } = useChecks();
  const [found, setFound] = useState<{ readonly modelPath: string; readonly own: OwnFindings }>();
  const asked = checks
    .filter((check) => check.active && check.type === type)
    .map(({ id, version }) => `${id} ${version}`)
    .join();
  const asks = asked !== '' && base !== undefined && inSight;

  useEffect(() => {
    if (!asks) return;
    let lost = false;
    const timer = setTimeout(() => {
      client.app('POST', '/checks/findings', { type, record: text }).then(
        (answer) => {
          if (lost) return;
          setFound({ modelPath, own: { findings: narrow(answer, CheckFindings), foundIn: text } });
        },
        // The status bar tells where the server is not reached.
        () => undefined,
      );
    }, debounce);
    return () => {
      lost = true;
      clearTimeout(timer);
    };
  }, [asks, asked, client, modelPath, type, text]);

  return asks && found?.modelPath === modelPath ? found.own : none;
}
