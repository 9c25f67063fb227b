import { useDebouncedValue } from '@mantine/hooks';
import { useQueries } from '@tanstack/react-query';
import { faultIn } from './compute.ts';
import type { OperationRow } from './operation-rows.ts';

/** Pause in typing before an expression is parsed, in milliseconds. */
const typingPause = 200;

/** Returns the parse errors of the expressions in the rows, and if all of them can be parsed. */
export function useFaults(rows: readonly OperationRow[]) {
  const expressions = rows.flatMap(({ kind, expression }) =>
    kind === 'compute' && expression.trim() !== '' ? [expression.trim()] : [],
  );
  const [debouncedText] = useDebouncedValue(expressions.join('\n\0'), typingPause);
  const debouncedExpressions = debouncedText === '' ? [] : debouncedText.split('\n\0');
  const answers = useQueries({
    queries: debouncedExpressions.map((expression) => ({
      queryKey: ['bulk fault', expression],
      // Query results must not be undefined.
      queryFn: async () => (await faultIn(expression)) ?? '',
      staleTime: Infinity,
    })),
  });
  const faults = new Map(debouncedExpressions.map((expression, index) => [expression, answers[index]?.data]));
  return {
    faultOf: (expression: string) => {
      const fault = faults.get(expression);
      return fault === '' ? undefined : fault;
    },
    sound: expressions.every((expression) => faults.get(expression) === ''),
  };
}
