/** What the database calls it where something is to be stored that was erased (migrations.ts). */
export const erasedCode = 'CK001';
