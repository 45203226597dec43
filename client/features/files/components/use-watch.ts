/** Seconds in sight without a sign of life from the engine. */
const LONGEST_SILENCE = 30;
/** Pieces of one drawing, of sixteen milliseconds each; a tab has only so much time and room. */
const MOST_STEPS = 600;

/** Waits for an engine that may never answer, since strangers write what it reads. */
export type Watch = {
  /** Passes the work on, and counts the silence meanwhile. */
  over: <T>(work: Promise<T>) => Promise<T>;
  alive: () => void;
  /** For one drawing: it lives, as long as it has not gone on for ever. */
  counted: () => () => void;
  /** While a person is asked nobody waits for the engine. */
  rest: (isResting: boolean) => void;
  stop: () => void;
};

/** @param giveUp hears once that there is no hope */
export function createWatch(giveUp: () => void): Watch {
  let waiting = 0;
  let silent = 0;
  let isResting = false;
  const timer = setInterval(() => {
    // Out of sight nothing is drawn.
    silent = waiting === 0 || isResting || document.hidden ? 0 : silent + 1;
    if (silent > LONGEST_SILENCE) abandon();
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
        if (steps > MOST_STEPS) abandon();
      };
    },
    rest: (now) => {
      isResting = now;
    },
    stop,
  };
}
