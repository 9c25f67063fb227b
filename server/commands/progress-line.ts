import { formatCount, formatPercent } from '../../core/text/language.ts';

/** Shows the progress of a command on a terminal. Writes nothing if standard error is not a terminal. */
export function startProgress(total: number, unit: string, terminal: NodeJS.WriteStream = process.stderr) {
  let currentLine = '';
  const clear = () => {
    if (terminal.isTTY && currentLine !== '') terminal.write('\r\u001b[K');
    currentLine = '';
  };
  return {
    /** Shows the finished amount, if the line changes. */
    update(done: number): void {
      const percent = total === 0 ? 100 : Math.floor((100 * done) / total);
      const line = `${formatPercent(percent / 100)}  ${formatCount(done)} of ${formatCount(total)} ${unit}`;
      if (!terminal.isTTY || line === currentLine) return;
      clear();
      terminal.write(line);
      currentLine = line;
    },
    clear,
  };
}
