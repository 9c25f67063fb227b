/**
 * Numbers of the advisory locks of the database. They are distinct, with a prefix against collisions with
 * other programs. `create` and `chain` are the first of two numbers.
 */
export const locks = {
  /** A schema migration runs. */
  migration: 0x63_6b_01,
  /** The session writes a chain of the audit log. */
  chain: 0x63_6b_02,
  /** Conditional creates of a type. */
  create: 0x63_6b_03,
  /** Shared rows are written in the order of their stamps. */
  rows: 0x63_6b_04,
  /** Writing servers share it. A move holds it exclusively. */
  move: 0x63_6b_05,
  /** The server that writes the measures of a day. */
  measure: 0x63_6b_07,
  /** The progress rows of checks are compared and written. */
  slots: 0x63_6b_08,
  /** Entries of the activity log are inserted in the order of their numbers. */
  activity: 0x63_6b_09,
} as const;
