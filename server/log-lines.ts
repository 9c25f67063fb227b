/** Formats log lines as text, or as JSON for log collectors. */

/** Fields of a log line. They contain no text from clients. */
export type LogFields = Readonly<Record<string, string | number>>;

/** Writes one log line. Never pass a body, an id, a query or a token. */
export type Log = (line: string, fields?: LogFields) => void;

export const logFormats = ['text', 'json'] as const;
export type LogFormat = (typeof logFormats)[number];

/**
 * Creates a log that writes each line with its line break. A JSON line is one object: `time`, then the fields, or the
 * sentence as `message` if there are no fields.
 */
export function logLines(format: LogFormat, write: (text: string) => void, now: () => number): Log {
  if (format === 'text') return (line) => write(`${removeControls(line)}\n`);
  return (line, fields = { message: line }) => {
    const cleanedFields = Object.entries(fields).map(([name, fieldValue]) => [
      name,
      typeof fieldValue === 'string' ? removeControls(fieldValue) : fieldValue,
    ]);
    const logObject: unknown = Object.fromEntries(cleanedFields);
    write(`${JSON.stringify({ time: new Date(now()).toISOString(), ...(logObject as LogFields) })}\n`);
  };
}

/** Characters that can forge a line or control a terminal: controls, format characters, lone surrogates, separators. */
const controlCharacters = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Replaces control characters with spaces. Keeps only line breaks before stack frames, so that no text forges a line. */
function removeControls(line: string): string {
  const [message = '', ...frames] = line.split(/\n(?= {4}at )/);
  return [message, ...frames].map((part) => part.replaceAll(controlCharacters, ' ')).join('\n');
}

/** Formats an error by name, code and stack frames. Omits the message, which can quote a request. */
export function formatError(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const { name, message, stack = '' } = error;
  // The message can quote a request, including lines that look like frames.
  const stackAfterMessage = stack.slice(Math.max(0, stack.indexOf(message)) + message.length);
  const frames = stackAfterMessage.split('\n').filter((line) => line.startsWith('    at '));
  const words = [name, memberOf(error, 'code')].filter((word) => plainWord.test(word));
  return [words.join(' '), ...frames.slice(0, 8)].join('\n');
}

/** Pattern of plain error names and codes. */
const plainWord = /^\w{1,60}$/;

/** Returns a member of a thrown value as text, or an empty text. */
export function memberOf(error: unknown, name: 'status' | 'code'): string {
  if (typeof error !== 'object' || error === null) return '';
  const value: unknown = Reflect.get(error, name);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
