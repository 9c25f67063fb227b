import { formatCount, formatPercent } from '../../core/text/language.ts';

/** A line on a terminal that tells how far a command is; nothing where standard error is no terminal. */
export function startProgress(total: number, unit: string, terminal: NodeJS.WriteStream = process.stderr) {
  let told = '';
  const clear = () => {
    if (terminal.isTTY && told !== '') terminal.write('\r\u001b[K');
    told = '';
  };
  return {
    /** Tells how much of the total is done, where that is another line than the last. */
    reached(done: number): void {
      const percent = total === 0 ? 100 : Math.floor((100 * done) / total);
      const line = `${formatPercent(percent / 100)}  ${formatCount(done)} of ${formatCount(total)} ${unit}`;
      if (!terminal.isTTY || line === told) return;
      clear();
      terminal.write(line);
      told = line;
    },
    clear,
  };
}
