import type { MovedTable } from './kind.ts';

/**
 * `[taken, vouched]`: the highest version number assigned before a restore (numbering.ts), and the position
 * up to which versions may lack audit entries because they are older than the log.
 */
type Numbers = readonly [taken: number, vouched: number];

const noNumbers: Numbers = [0, 0];

function* yieldNumbers(numbers: Numbers): Generator<readonly Numbers[]> {
  if (numbers.some((number) => number !== 0)) yield [numbers];
}

export const numbers: MovedTable<Numbers> = {
  name: 'numbers of versions',
  keyOf: () => [0],
  nameOf: () => 'version numbers in use',
  listCells: (row) => row,
  openInFolder({ records }) {
    const write = ([usedNumber, unauditedPrefix]: Numbers) => {
      records.exec('DELETE FROM numbering; DELETE FROM vouched');
      records.prepare('INSERT INTO numbering (taken) VALUES (?)').run(usedNumber);
      records.prepare('INSERT INTO vouched (after) VALUES (?)').run(unauditedPrefix);
    };
    return {
      *read() {
        const text = 'SELECT (SELECT max(taken) FROM numbering), (SELECT max(after) FROM vouched)';
        const [usedNumber, unauditedPrefix] =
          records.prepare<unknown[], (number | null)[]>(text).raw().get() ?? [];
        yield* yieldNumbers([usedNumber ?? 0, unauditedPrefix ?? 0]);
      },
      write: ([row = noNumbers]) => write(row),
      clear: () => write(noNumbers),
    };
  },
  openInDatabase(session) {
    const write = async ([usedNumber, unauditedPrefix]: Numbers) => {
      await session.rows({ text: 'UPDATE numbering SET taken = $1', values: [usedNumber] });
      await session.rows({ text: 'UPDATE move SET vouched = $1', values: [unauditedPrefix] });
    };
    return {
      async *read() {
        const text = 'SELECT (SELECT max(taken) FROM numbering), (SELECT max(vouched) FROM move)';
        const [[usedNumber, unauditedPrefix] = []] = await session.rows({ text });
        yield* yieldNumbers([Number(usedNumber), Number(unauditedPrefix)]);
      },
      write: ([row = noNumbers]) => write(row),
      clear: () => write(noNumbers),
    };
  },
};
