/** How lines of the log are written: as sentences, or as JSON for what collects the logs of many servers. */

/** What a line says, member by member; nothing of it comes from a client. */
export type LogFields = Readonly<Record<string, string | number>>;

/** Writes one line about the server; never a body, an id, a query or a token. */
export type Log = (line: string, facts?: LogFields) => void;

export const logFormats = ['text', 'json'] as const;
export type LogFormat = (typeof logFormats)[number];

/**
 * A log whose lines are handed on in a format, each with its line break. As JSON a line is one object: `time`, an instant,
 * then its facts, or the sentence as `message` where it has none.
 */
export function logLines(format: LogFormat, write: (text: string) => void, now: () => number): Log {
  if (format === 'text') return (line) => write(`${withoutControls(line)}\n`);
  return (line, facts = { message: line }) => {
    const cleaned = Object.entries(facts).map(([name, fact]) => [
      name,
      typeof fact === 'string' ? withoutControls(fact) : fact,
    ]);
    const said: unknown = Object.fromEntries(cleaned);
    write(`${JSON.stringify({ time: new Date(now()).toISOString(), ...(said as LogFields) })}\n`);
  };
}

/** Control characters, and what a reader or a terminal may take for one: format characters, halves of pairs, line separators. */
const controls = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/**
 * Returns a line in which no control character stands but a break before the frame of a stack: nothing that it holds can begin
 * a line of its own, or reach a terminal.
 */
function withoutControls(line: string): string {
  const [first = '', ...frames] = line.split(/\n(?= {4}at )/);
  return [first, ...frames].map((part) => part.replaceAll(controls, ' ')).join('\n');
}

/** What was thrown, by name, code and stack frames: a message could quote what was sent. */
export function formatError(thrown: unknown): string {
  if (!(thrown instanceof Error)) return typeof thrown;
  const { name, message, stack = '' } = thrown;
  // A message may quote what was sent, lines that look like frames included.
  const behind = stack.slice(Math.max(0, stack.indexOf(message)) + message.length);
  const frames = behind.split('\n').filter((line) => line.startsWith('    at '));
  const words = [name, memberOf(thrown, 'code')].filter((word) => knownWord.test(word));
  return [words.join(' '), ...frames.slice(0, 8)].join('\n');
}

/** The names and codes that programs give to their faults. */
const knownWord = /^\w{1,60}$/;

/** A member of what was thrown as text; empty where there is none. */
export function memberOf(thrown: unknown, name: 'status' | 'code'): string {
  if (typeof thrown !== 'object' || thrown === null) return '';
  const value: unknown = Reflect.get(thrown, name);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
