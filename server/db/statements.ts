import { CompiledQuery } from 'kysely';
import type { Executor } from './schema.ts';

/** Lets a library that sends its own SQL join a transaction. */
export function statementsOf(executor: Executor) {
  return {
    async executeSql(text: string, values: unknown[] = []) {
      const { rows } = await executor.executeQuery(CompiledQuery.raw(text, values));
      return { rows };
    },
  };
}
