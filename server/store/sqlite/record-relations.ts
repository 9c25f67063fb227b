import { sqliteDialect } from '../dialect.ts';
import { relationQuestions, type FoundRelation } from '../relation-sql.ts';
import { Statements } from './statements.ts';
import type { SqliteDatabase } from './sqlite.ts';

/** Finds what is wrong between records. Asked of threads that read. */
export class RecordRelations {
  private readonly statements: Statements;

  constructor(database: SqliteDatabase) {
    this.statements = new Statements(database);
  }

  find(): readonly FoundRelation[] {
    return relationQuestions(sqliteDialect).flatMap(({ query, found }) => found(this.statements.rows(query)));
  }
}
