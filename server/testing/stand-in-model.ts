import { LLMock } from '@copilotkit/aimock';

/** A language model that says what it is told to. */
export type StandInModel = {
  /** The variables that make a server use it. */
  env: Record<string, string>;
  /** Answers prompts that `asked` fits; later ones do not replace earlier ones. @param pause milliseconds between words */
  says: (asked: RegExp, text: string, pause?: number) => void;
  /** The prompts that it was given, oldest first. */
  prompts: () => string[];
  stop: () => Promise<void>;
};

const WORD = 8;

/** Listens on a free port, and speaks as OpenAI's endpoint does. */
export async function startStandInModel(): Promise<StandInModel> {
  const mock = new LLMock({ port: 0, host: '127.0.0.1' });
  await mock.start();
  return {
    env: { OPENAI_BASE_URL: `${mock.url}/v1`, OPENAI_API_KEY: 'key', CHAT_MODEL: 'stand-in' },
    says: (asked, content, pause = 0) =>
      void mock.onMessage(asked, { content }, { latency: pause, chunkSize: WORD }),
    prompts: () => mock.getRequests().map(({ body }) => JSON.stringify(body)),
    stop: () => mock.stop(),
  };
}
