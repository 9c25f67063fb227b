import { Answered } from '../../ui/answered.tsx';
import { text } from '../../ui/text.ts';
import { NamedRecords } from './named-records.tsx';
import { useSkipped } from './use-checks.ts';

const words = text.checks;

interface SkippedPartProps {
  readonly id: string;
  /** Before a record is opened. */
  readonly onLeave: () => void;
}

/** Records for which a check could not be asked. */
export function SkippedPart({ id, onLeave }: SkippedPartProps) {
  const query = useSkipped(id);
  return (
    <section aria-label={words.unasked}>
      <Answered query={query} failed={words.failed}>
        {({ type, ids }) => (
          <NamedRecords
            title={words.unasked}
            type={type}
            named={ids.map((one) => ({ id: one }))}
            onLeave={onLeave}
          />
        )}
      </Answered>
    </section>
  );
}
