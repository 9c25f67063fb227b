import { readAddress } from '../shared/postgres/address.ts';
import { Postgres, type Session } from '../shared/postgres/connection.ts';

/** Does work in a separate transaction and leaves it open; the returned function commits it. */
export async function openTransaction(
  address: string,
  work: (session: Session) => Promise<unknown>,
): Promise<() => Promise<void>> {
  const database = new Postgres(readAddress(address), 1);
  const [opening, end] = [Promise.withResolvers<true>(), Promise.withResolvers<true>()];
  const done = database.transaction(async (session) => {
    await work(session);
    opening.resolve(true);
    await end.promise;
  });
  await Promise.race([opening.promise, done]);
  return async () => {
    end.resolve(true);
    await done;
    await database.close();
  };
}
