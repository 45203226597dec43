import { LLMock, type ChatCompletionRequest } from '@copilotkit/aimock';

/** A language model with scripted replies. */
export type StandInModel = {
  /** Variables that point a server at it. */
  env: Record<string, string>;
  /** Replies to prompts that match `asked`; earlier scripts take precedence. @param pause milliseconds between words */
  says: (asked: RegExp, text: string, pause?: number) => void;
  /** Replies to prompts that match `asked` as a model does that finds no answer in the passages. */
  lacks: (asked: RegExp) => void;
  /** Received prompts, oldest first. */
  prompts: () => string[];
  stop: () => Promise<void>;
};

const WORD = 8;

/** Serves OpenAI's protocol on a free port. */
export async function startStandInModel(): Promise<StandInModel> {
  const mock = new LLMock({ port: 0, host: '127.0.0.1' });
  await mock.start();
  return {
    env: { OPENAI_BASE_URL: `${mock.url}/v1`, OPENAI_API_KEY: 'key', CHAT_MODEL: 'stand-in' },
    says: (asked, content, pause = 0) =>
      void mock.onMessage(asked, { content }, { latency: pause, chunkSize: WORD }),
    lacks: (asked) => void mock.onMessage(asked, (request) => ({ content: missingIn(request) })),
    prompts: () => mock.getRequests().map(({ body }) => JSON.stringify(body)),
    stop: () => mock.stop(),
  };
}

/** The reply that a request's instructions ask for when the passages do not contain the answer. */
export function missingIn({ messages }: ChatCompletionRequest): string {
  const [, missing] = /reply exactly (\S+)/.exec(JSON.stringify(messages)) ?? [];
  if (missing === undefined) throw new Error('the instructions name no such reply');
  return missing;
}
