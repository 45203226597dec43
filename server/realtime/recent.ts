import type { PostgresAdapter } from '@socket.io/postgres-adapter';
import type { SocketServer } from './publisher.ts';

/** A page asks right after it was loaded. */
const KEPT_MS = 60_000;
const MAX_KEPT = 250;

type Reach = { rooms: ReadonlySet<string>; except?: ReadonlySet<string> | undefined };
type Broadcast = Reach & { at: number };

/** The last minute of broadcasts through this process, by rooms. */
export class RecentBroadcasts {
  #kept: Broadcast[] = [];
  /** None since then is missing. */
  #completeSince = Number.POSITIVE_INFINITY;

  /** From now on, this process learns about the broadcasts of all others. */
  restart(): void {
    this.#kept = [];
    this.#completeSince = performance.now();
  }

  /** Notes what the adapter sends, and what it receives from other processes. */
  watch(adapter: PostgresAdapter): void {
    const broadcast = adapter.broadcast.bind(adapter);
    const onMessage = adapter.onMessage.bind(adapter);
    adapter.broadcast = (packet: unknown, options) => {
      this.#note(options);
      return broadcast(packet, options);
    };
    adapter.onMessage = (message, offset) => {
      if ('data' in message && 'packet' in message.data && 'opts' in message.data) {
        const { rooms, except } = message.data.opts;
        this.#note({ rooms: new Set(rooms), except: new Set(except) });
      }
      onMessage(message, offset);
    };
  }

  #note({ rooms, except }: Reach) {
    const at = performance.now();
    this.#kept.push({ at, rooms, except });
    while (this.#kept[0] && (this.#kept.length > MAX_KEPT || this.#kept[0].at < at - KEPT_MS))
      this.#completeSince = this.#kept.shift()?.at ?? at;
  }

  /** Milliseconds without a broadcast for these rooms, as far as this process knows. */
  quietFor(joined: ReadonlySet<string>): number {
    const last = this.#kept.findLast((broadcast) => isFor(broadcast, joined));
    return Math.max(0, performance.now() - (last?.at ?? this.#completeSince));
  }
}

function isFor({ rooms, except }: Reach, joined: ReadonlySet<string>): boolean {
  const isIncluded = rooms.size === 0 || !rooms.isDisjointFrom(joined);
  return isIncluded && except?.isDisjointFrom(joined) !== false;
}

/** Lets a page learn whether events came between its first fetch and its connection. */
export function answerQuiet(io: SocketServer, recent: RecentBroadcasts): void {
  io.on('connection', (socket) => {
    socket.on('quiet', (answer: unknown) => {
      if (isCallback(answer)) answer(recent.quietFor(socket.rooms));
    });
  });
}

function isCallback(value: unknown): value is (milliseconds: number) => void {
  return typeof value === 'function';
}
