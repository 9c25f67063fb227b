import { useDebouncedValue } from '@mantine/hooks';
import { useQueries } from '@tanstack/react-query';
import { faultIn } from './compute.ts';
import type { OperationRow } from './operation-rows.ts';

/** Milliseconds without a key, after which an expression is parsed. */
const typingPause = 200;

/** What is wrong with the expressions that the rows hold, and whether all of them can be parsed. */
export function useFaults(rows: readonly OperationRow[]) {
  const expressions = rows.flatMap(({ kind, expression }) =>
    kind === 'compute' && expression.trim() !== '' ? [expression.trim()] : [],
  );
  const [parsed] = useDebouncedValue(expressions.join('\n\0'), typingPause);
  const asked = parsed === '' ? [] : parsed.split('\n\0');
  const answers = useQueries({
    queries: asked.map((expression) => ({
      queryKey: ['bulk fault', expression],
      // A query's answer is never undefined.
      queryFn: async () => (await faultIn(expression)) ?? '',
      staleTime: Infinity,
    })),
  });
  const faults = new Map(asked.map((expression, index) => [expression, answers[index]?.data]));
  return {
    faultOf: (expression: string) => {
      const fault = faults.get(expression);
      return fault === '' ? undefined : fault;
    },
    sound: expressions.every((expression) => faults.get(expression) === ''),
  };
}
