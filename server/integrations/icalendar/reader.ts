import type { Run, Threads } from '../threads.ts';
import type { CalendarResult, Task } from './answers.ts';

/** Milliseconds for a file. */
const READ_TIMEOUT_MS = 10_000;

/** Reads calendars in a thread, which is ended when it takes too long. */
export class CalendarFileReader {
  readonly #run: Run<Task, CalendarResult>;

  constructor(threads: Threads) {
    const file = new URL('read.ts', import.meta.url);
    this.#run = threads.open({ file, name: 'readCalendar', atOnce: 1, timeoutMs: READ_TIMEOUT_MS });
  }

  async read(task: Task): Promise<CalendarResult> {
    try {
      return await this.#run(task);
    } catch {
      return { problem: 'The file takes too long to read' };
    }
  }
}
