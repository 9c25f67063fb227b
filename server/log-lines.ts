/** How lines of the log are written: as sentences, or as JSON for what collects the logs of many servers. */

/** What a line says, member by member; nothing of it comes from a client. */
export type LogFacts = Readonly<Record<string, string | number>>;

/** Writes one line about the server; never a body, an id, a query or a token. */
export type Log = (line: string, facts?: LogFacts) => void;

export const logFormats = ['text', 'json'] as const;
export type LogFormat = (typeof logFormats)[number];

/**
 * A log whose lines are handed on in a format, each with its line break. As JSON a line is one object: `time`, an instant,
 * then its facts, or the sentence as `message` where it has none.
 */
export function logLines(format: LogFormat, write: (text: string) => void, now: () => number): Log {
  if (format === 'text') return (line) => write(`${line}\n`);
  return (line, facts = { message: line }) =>
    write(`${JSON.stringify({ time: new Date(now()).toISOString(), ...facts })}\n`);
}

/** What was thrown, by name, code and stack frames: a message could quote what was sent. */
export function faultText(thrown: unknown): string {
  if (!(thrown instanceof Error)) return typeof thrown;
  const frames = (thrown.stack ?? '').split('\n').filter((line) => line.trimStart().startsWith('at '));
  return [`${thrown.name} ${memberOf(thrown, 'code')}`.trim(), ...frames.slice(0, 8)].join('\n');
}

/** A member of what was thrown as text; empty where there is none. */
export function memberOf(thrown: unknown, name: 'status' | 'code'): string {
  if (typeof thrown !== 'object' || thrown === null) return '';
  const value: unknown = Reflect.get(thrown, name);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
