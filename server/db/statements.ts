import { CompiledQuery } from 'kysely';
import type { Executor } from './schema.ts';

/** Lets a library that speaks SQL for itself take part in a transaction of ours. */
export function statementsOf(executor: Executor) {
  return {
    async executeSql(text: string, values: unknown[] = []) {
      const { rows } = await executor.executeQuery(CompiledQuery.raw(text, values));
      return { rows };
    },
  };
}
