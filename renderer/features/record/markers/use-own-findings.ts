import { useEffect, useState } from 'react';
import { narrow } from '../../../../core/api/narrow.ts';
import { CheckFindings, type CheckFinding } from '../../../../core/app/checks.ts';
import { useChecks } from '../../../platform/checks.ts';
import { useConnection } from '../../../platform/connection.ts';
import type { ResourceType } from '../../../../core/fhir/resource.ts';

/** A text in the editor to be validated. */
export interface ValidationInput {
  readonly modelPath: string;
  readonly type: ResourceType;
  readonly text: string;
  readonly base: string | undefined;
  /** True if the text is visible. Validation before would delay the first paint. */
  readonly inSight: boolean;
}

/** Wait after the last key. The worker of the server is shared with other requests. */
const debounce = 400;

interface CustomFindings {
  readonly findings: readonly CheckFinding[];
  readonly validatedText: string;
}

const noFindings: CustomFindings = { findings: [], validatedText: '' };

/**
 * Returns the findings of custom checks in the open record's text, for records of any server. This machine's
 * server evaluates them. Until the response arrives, returns the findings of the previous text.
 */
export function useOwnFindings({ modelPath, type, text, base, inSight }: ValidationInput): CustomFindings {
  const { client } = useConnection();
  const { data: checks = [] } = useChecks();
  const [result, setResult] = useState<{ readonly modelPath: string; readonly findings: CustomFindings }>();
  const activeChecks = checks
    .filter((check) => check.active && check.type === type)
    .map(({ id, version }) => `${id} ${version}`)
    .join();
  const isEnabled = activeChecks !== '' && base !== undefined && inSight;

  useEffect(() => {
    if (!isEnabled) return;
    let isCanceled = false;
    const timer = setTimeout(() => {
      client.app('POST', '/checks/findings', { type, record: text }).then(
        (response) => {
          if (isCanceled) return;
          setResult({
            modelPath,
            findings: { findings: narrow(response, CheckFindings), validatedText: text },
          });
        },
        // The status bar reports an unreachable server.
        () => undefined,
      );
    }, debounce);
    return () => {
      isCanceled = true;
      clearTimeout(timer);
    };
  }, [isEnabled, activeChecks, client, modelPath, type, text]);

  return isEnabled && result?.modelPath === modelPath ? result.findings : noFindings;
}
