import type { Kind } from './kind.ts';

/**
 * `[taken, vouched]`: the highest number of a version that a restore took back (numbering.ts), and up to which place versions
 * may be without an entry in the trail, as they are from before it.
 */
type Numbers = readonly [taken: number, vouched: number];

const none: Numbers = [0, 0];

function* told(numbers: Numbers): Generator<readonly Numbers[]> {
  if (numbers.some((number) => number !== 0)) yield [numbers];
}

export const numbers: Kind<Numbers> = {
  name: 'numbers of versions',
  placeOf: () => [0],
  nameOf: () => 'which numbers of versions were given out',
  told: (row) => row,
  folder({ records }) {
    const write = ([taken, vouched]: Numbers) => {
      records.exec('DELETE FROM numbering; DELETE FROM vouched');
      records.prepare('INSERT INTO numbering (taken) VALUES (?)').run(taken);
      records.prepare('INSERT INTO vouched (after) VALUES (?)').run(vouched);
    };
    return {
      *read() {
        const text = 'SELECT (SELECT max(taken) FROM numbering), (SELECT max(after) FROM vouched)';
        const [taken, vouched] = records.prepare<unknown[], (number | null)[]>(text).raw().get() ?? [];
        yield* told([taken ?? 0, vouched ?? 0]);
      },
      write: ([row = none]) => write(row),
      clear: () => write(none),
    };
  },
  database(session) {
    const write = async ([taken, vouched]: Numbers) => {
      await session.rows({ text: 'UPDATE numbering SET taken = $1', values: [taken] });
      await session.rows({ text: 'UPDATE move SET vouched = $1', values: [vouched] });
    };
    return {
      async *read() {
        const text = 'SELECT (SELECT max(taken) FROM numbering), (SELECT max(vouched) FROM move)';
        const [[taken, vouched] = []] = await session.rows({ text });
        yield* told([Number(taken), Number(vouched)]);
      },
      write: ([row = none]) => write(row),
      clear: () => write(none),
    };
  },
};
