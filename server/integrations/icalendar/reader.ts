import type { Run, Threads } from '../threads.ts';
import type { Reading, Task } from './answers.ts';

/** Milliseconds for a file. */
const PATIENCE = 10_000;

/** Reads calendars in a thread, which is ended when it takes too long. */
export class CalendarFileReader {
  readonly #run: Run<Task, Reading>;

  constructor(threads: Threads) {
    const file = new URL('read.ts', import.meta.url);
    this.#run = threads.open({ file, name: 'readCalendar', atOnce: 1, patience: PATIENCE });
  }

  async read(task: Task): Promise<Reading> {
    try {
      return await this.#run(task);
    } catch {
      return { problem: 'The file takes too long to read' };
    }
  }
}
