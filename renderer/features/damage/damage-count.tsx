import { formatCount } from '../../ui/format.ts';
import { useDamage } from './use-damage.ts';

/** The number of damaged texts, for the left list; nothing where there is none. */
export function DamageCount() {
  const count = useDamage().data?.records.length ?? 0;
  return count === 0 ? null : formatCount(count);
}
