import { session } from 'electron';
import type { ProxyAnswer, ProxyQuestion } from '../core/app/server-messages.ts';

/** Answers by the system's settings, a PAC script of theirs included; without `pac` where they cannot be read. */
export async function answerProxy({ ask, origin }: ProxyQuestion): Promise<ProxyAnswer> {
  const answer = { type: 'proxy', ask } as const;
  try {
    return { ...answer, pac: await session.defaultSession.resolveProxy(origin) };
  } catch {
    return answer;
  }
}
