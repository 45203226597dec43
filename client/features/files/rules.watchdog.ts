/** Seconds without activity of the engine while the page is visible. */
const MAX_SILENCE_SECONDS = 30;
/** Steps of one drawing, of sixteen milliseconds each. */
const MAX_STEPS = 600;

/** Watches an engine that may hang on a malicious or broken file. */
export type Watchdog = {
  /** Watches for silence during the work. */
  over: <T>(work: Promise<T>) => Promise<T>;
  alive: () => void;
  /** For one drawing: reports activity, and limits the number of steps. */
  counted: () => () => void;
  /** Pauses the watchdog while the user enters a password. */
  rest: (isResting: boolean) => void;
  stop: () => void;
};

/** @param giveUp called once, when the engine hangs */
export function createWatchdog(giveUp: () => void): Watchdog {
  let waiting = 0;
  let silent = 0;
  let isResting = false;
  const timer = setInterval(() => {
    // A hidden page draws nothing.
    silent = waiting === 0 || isResting || document.hidden ? 0 : silent + 1;
    if (silent > MAX_SILENCE_SECONDS) abandon();
  }, 1000);
  const stop = () => clearInterval(timer);
  const abandon = () => {
    stop();
    giveUp();
  };
  const alive = () => {
    silent = 0;
  };
  return {
    over: async (work) => {
      waiting += 1;
      try {
        return await work;
      } finally {
        waiting -= 1;
        alive();
      }
    },
    alive,
    counted: () => {
      let steps = 0;
      return () => {
        steps += 1;
        alive();
        if (steps > MAX_STEPS) abandon();
      };
    },
    rest: (now) => {
      isResting = now;
    },
    stop,
  };
}
