import { describe, expect, test } from 'vitest';
import { hook, perContext, slot, type ActorContext, type Context } from './context.ts';

/** As much of a server as state needs: its database tells it from another one. */
function createContext(): Context {
  return { db: {} } as Context;
}

function requestOf(context: Context, id: string): ActorContext {
  return { ...context, actor: { id } } as ActorContext;
}

describe('state beside functions', () => {
  test('is made once for a server, by its first request', () => {
    let made = 0;
    const stateOf = perContext(() => ({ n: (made += 1) }));
    const context = createContext();
    const first = stateOf(requestOf(context, 'ada'));
    expect(stateOf(requestOf(context, 'bo'))).toBe(first);
    expect(stateOf(context)).toBe(first);
    expect(stateOf(createContext())).not.toBe(first);
    expect(made).toBe(2);
  });

  test('never keeps the user of the request that made it', () => {
    const contextOf = perContext((context) => context);
    expect(contextOf(requestOf(createContext(), 'ada'))).not.toHaveProperty('actor');
  });
});

describe('a hook', () => {
  test('calls its listeners in their order, and waits for each', async () => {
    const context = createContext();
    const received: string[] = [];
    const opened = hook<[name: string]>();
    opened.on(context, async (name) => {
      await Promise.resolve();
      received.push(`first ${name}`);
    });
    opened.on(context, (name) => void received.push(`second ${name}`));
    await opened.run(requestOf(context, 'ada'), 'Doe');
    expect(received).toEqual(['first Doe', 'second Doe']);
  });

  test('passes on what a listener throws, so that the write fails with it', async () => {
    const context = createContext();
    const opened = hook<[]>();
    opened.on(context, () => {
      throw new Error('refused');
    });
    await expect(opened.run(context)).rejects.toThrow('refused');
  });

  test('of another server stays silent', async () => {
    const received: string[] = [];
    const opened = hook<[]>();
    opened.on(createContext(), () => void received.push('other'));
    await opened.run(createContext());
    expect(received).toEqual([]);
  });
});

describe('a slot', () => {
  test('has what was filled in, for this server alone', () => {
    const context = createContext();
    const sources = slot<{ names: string[] }>();
    sources.fill(context, { names: ['mails'] });
    expect(sources.of(requestOf(context, 'ada'))).toEqual({ names: ['mails'] });
    expect(() => sources.of(createContext())).toThrow('before it was filled');
  });
});
