import { expect, it } from 'vitest';
import { Decimal, write } from './encode.ts';

it('writes decimals with their digits, omits undefined values and escapes like JSON', () => {
  const value = { amount: new Decimal('1.50'), none: undefined, list: [1, true, 'Å "例"\n', {}], empty: [] };
  expect(write(value)).toBe('{"amount":1.50,"list":[1,true,"Å \\"例\\"\\n",{}],"empty":[]}');
});
