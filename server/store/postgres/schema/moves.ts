/** The move into a store. */
export const moves = `
  -- The move into this store (server/move/state.ts), once it has begun: until it has ended no server writes here. Up to which
  -- version the source's trail has no entry of each.
  CREATE TABLE move (
    single boolean PRIMARY KEY DEFAULT true CHECK (single),
    state text COLLATE "C" NOT NULL,
    ended bigint,
    vouched bigint NOT NULL DEFAULT 0
  );
  `;
