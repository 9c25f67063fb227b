/**
 * The numbers of the advisory locks of one database: no two are alike, and none is another program's by chance. `create` and
 * `chain` stand in front of a second number.
 */
export const locks = {
  /** The schema is changed: two servers that are brought up at once take turns. */
  migration: 0x63_6b_01,
  /** A session that writes a chain of the audit trail. */
  chain: 0x63_6b_02,
  /** Conditional creates of a type. */
  create: 0x63_6b_03,
  /** Rows that servers share are written, in the order of their stamps. */
  rows: 0x63_6b_04,
  /** Servers that write share it; a move takes it alone. */
  move: 0x63_6b_05,
  /** The server that reads all texts. */
  scrub: 0x63_6b_06,
  /** The server that writes the measures of a day. */
  measure: 0x63_6b_07,
  /** The slots of checks are settled. */
  slots: 0x63_6b_08,
  /** Entries of the activity log are added, in the order of their numbers. */
  activity: 0x63_6b_09,
} as const;
